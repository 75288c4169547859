/// \file
/// A call with one answer, parsed into its type, with its attempts.
#pragma once

#include "client/call/answer_facts.hpp"
#include "client/call/observation.hpp"
#include "client/call/whole_call.hpp"

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace inferwire::inline v0_1::client {

/// Makes exchanges until there is a complete answer, which `read(answer)` converts to a Result. If `read` has
/// `save(answer, reply)`, it may find a result in an answer that broke off.
template <class Read>
class TypedCall {
 public:
  using Reply = std::invoke_result_t<Read&, const WholeAnswer&>;

  TypedCall(CallScope&& scope, HttpRequest&& request, const Subject& subject, Read read)
      : call_(std::move(scope), std::move(request), &subject), read_(std::move(read)) {}

  /// Proceeds as far as possible; std::nullopt: it waits for `need()`. `info` receives what is known of the
  /// answer.
  std::optional<Reply> step(ResponseInfo* info) {
    for (;;) {
      auto ended = call_.step();
      if (!ended) return std::nullopt;
      const bool broken = !*ended;
      auto reply = std::move(*ended).and_then([&] { return read_(call_.answer()); });
      if constexpr (requires { read_.save(call_.answer(), reply); }) {
        if (broken) read_.save(call_.answer(), reply);
      }
      if (!reply && call_.again(reply.error())) continue;
      tell(reply, info);
      return reply;
    }
  }
  const Need& need() const noexcept { return call_.need(); }

 private:
  void tell(Reply& reply, ResponseInfo* info) {
    // A raw answer contains its info.
    constexpr bool holds_info = requires { reply->info; };
    auto* const watched = call_.observation();
    if (info == nullptr && watched == nullptr && !holds_info) return;
    ResponseInfo known;
    call_.describe(known);
    if (watched != nullptr) {
      if (auto* const facts = watched->facts(); reply && facts != nullptr) note_facts(*facts, *reply);
      watched->finish(reply ? nullptr : &reply.error(), known, reply ? call_.answer().text() : "");
    }
    if constexpr (holds_info) {
      if (reply) reply->info = known;
    }
    if (info != nullptr) *info = std::move(known);
  }

  WholeCall call_;
  Read read_;
};

}  // namespace inferwire::inline v0_1::client
