/// \file
/// What those who watch a call are told, and no secret with it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client/call/conceal.hpp"
#include "client/core.hpp"
#include "inferwire/observer.hpp"

namespace inferwire::inline v0_1::client {

/// What a call is about.
struct Subject {
  std::string_view operation{};  ///< what CallStart::operation is
  std::string_view model{};
};

/// The observers of one call. There is none where nobody watches.
class Observation {
 public:
  /// nullptr when nobody wants to hear of this call.
  /// Borrows core, and what the concealer borrows, for its life.
  static std::unique_ptr<Observation> begin(detail::Core& core, const HttpRequest& request,
                                            const Subject& subject, bool stream, const CallOptions& options,
                                            const Concealer& concealer);

  /// Adds to the request what the observers want sent.
  void attempt(int number, HttpRequest& request);
  void answer(int attempt, const ResponseHead& head);
  void retry(int attempt, const Error& error, Duration wait);
  void element(std::uint64_t number, std::uint64_t bytes, std::string_view text);
  /// The last word; everything after it is not told.
  void finish(const Error* error, const ResponseInfo& info, std::string_view body);

  /// What the answer says about itself, as far as it is known.
  AnswerFacts& facts() noexcept { return facts_; }

 private:
  Observation(detail::Core& core, const Concealer& concealer) : core_(core), concealer_(concealer) {}

  std::vector<Header> shown(std::vector<Header> headers);
  std::string shown(std::string_view body);
  Error shown(const Error& error);

  detail::Core& core_;
  const Concealer concealer_;
  std::vector<std::unique_ptr<CallObserver>> observers_;
  AnswerFacts facts_;
  bool detailed_{};  ///< somebody wants more than how it ends
  bool finished_{};
};

}  // namespace inferwire::inline v0_1::client
