/// \file
/// Reports a call to its observers, without secrets.
#pragma once

#include "client/answer_form.hpp"
#include "client/call/conceal.hpp"
#include "client/core.hpp"
#include "inferwire/observer.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::client {

/// What a call is about.
struct Subject {
  std::string_view operation{};  ///< for CallStart::operation
  std::string_view model{};
};

/// The observers of one call, or the log of a request for a token. Not created if there are none.
class Observation {
 public:
  /// nullptr if no observer and no log is interested in this call.
  /// Borrows core, and what the concealer borrows, for its lifetime.
  static std::unique_ptr<Observation> begin(detail::Core& core, const HttpRequest& request,
                                            const Subject& subject, AnswerForm form,
                                            const CallOptions& options, const Concealer& concealer);

  /// The log of a request for a token; nullptr if there is no log for it. It shows neither path nor bodies,
  /// nor what the service says of a failure: any of these may hold a secret. Same borrowing as `begin`.
  static std::unique_ptr<Observation> begin_fetch(detail::Core& core, const HttpRequest& request,
                                                  const CallOptions& options, const Concealer& concealer);

  /// Reports an attempt and adds the headers that the observers return to the request.
  void attempt(int number, HttpRequest& request);
  void answer(int attempt, const ResponseHead& head);
  void retry(int attempt, const Error& error, Duration wait);
  void element(std::uint64_t number, std::uint64_t bytes, std::string_view text);
  /// Reports the end; only the first call has an effect.
  void finish(const Error* error, const ResponseInfo& info, std::string_view body);

  /// What the answer says about itself, as far as it has been received. nullptr: nobody reads it, since the
  /// log does not.
  AnswerFacts* facts() noexcept { return wants_facts_ ? &facts_ : nullptr; }

 private:
  Observation(detail::Core& core, const Concealer& concealer) : core_(core), concealer_(concealer) {}

  std::vector<Header> shown(std::vector<Header> headers);
  std::string shown(std::string_view body);
  Error shown(const Error& error);

  detail::Core& core_;
  const Concealer concealer_;
  std::vector<std::unique_ptr<CallObserver>> observers_;
  AnswerFacts facts_;
  bool of_token_{};     ///< it is a request for a token
  bool detailed_{};     ///< an observer, or a log at level debug, wants more than retries and the end
  bool wants_facts_{};  ///< there is an observer besides the log
  bool finished_{};
};

}  // namespace inferwire::inline v0_1::client
