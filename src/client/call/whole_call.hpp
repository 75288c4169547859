/// \file
/// A call whose answer is not a stream: it is collected, then examined as a whole.
#pragma once

#include "client/call/call.hpp"
#include "protocol/framing/receive_buffer.hpp"

#include <optional>
#include <string_view>

namespace inferwire::inline v0_1::client {

/// A collected answer.
class WholeAnswer final : public Receiver {
 public:
  const ResponseHead& head() const noexcept override { return head_; }
  /// The body; json::padding more bytes after it are readable.
  std::string_view text() const noexcept { return {body_.data(), body_.size()}; }
  const std::optional<Error>& failure() const noexcept { return failure_; }
  void describe(ResponseInfo& info) const;

 private:
  void on_retry() override;
  void on_head(const ResponseHead& head) override;
  void on_body(std::string_view bytes) override;
  void on_end(const Error* failure) override;

  ResponseHead head_{};
  protocol::ReceiveBuffer body_{};
  std::optional<Error> failure_{};
};

/// Why an answer with a success status and this body contains no document, besides the decoder's `problem`:
/// the body is an error, a page, plain text, empty or incomplete. The error holds the body.
Error unreadable(const ResponseHead& head, std::string_view body, Error problem);

/// Makes one attempt after another, each with a complete answer. Same contract as Call.
class WholeCall {
 public:
  WholeCall(CallScope&& scope, HttpRequest&& request, const Subject* subject = nullptr)
      : call_(std::move(scope), std::move(request), AnswerForm::whole, answer_, subject) {}

  /// Advances the attempt. std::nullopt: it waits for `need()`. Otherwise the attempt is over: the answer is
  /// complete, possibly with an error status, unless there is an error.
  std::optional<Result<void>> step();
  const Need& need() const noexcept { return call_.need(); }
  /// Ends an attempt that failed, as Call::end_attempt does; whether there will be another one, which the
  /// next step begins.
  [[nodiscard]] bool again(Error& error) {
    call_.end_attempt(error);
    return call_.begins_again(error);
  }

  const WholeAnswer& answer() const noexcept { return answer_; }
  void describe(ResponseInfo& info) const;
  Observation* observation() noexcept { return call_.observation(); }

 private:
  WholeAnswer answer_;
  Call call_;
};

}  // namespace inferwire::inline v0_1::client
