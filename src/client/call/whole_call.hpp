/// \file
/// A call whose answer is not a stream: gathered, then looked at as a whole.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "client/call/call.hpp"

namespace inferwire::inline v0_1::client {

/// An answer, gathered.
class WholeAnswer final : public Receiver {
 public:
  const ResponseHead& head() const noexcept override { return head_; }
  /// The body; json::padding more bytes are readable behind it.
  std::string_view text() const noexcept { return {body_.data(), size_}; }
  const std::optional<Error>& failure() const noexcept { return failure_; }
  void describe(ResponseInfo& info) const;

 private:
  void on_retry() override;
  void on_head(const ResponseHead& head) override;
  void on_body(std::string_view bytes) override;
  void on_end(const Error* failure) override;

  ResponseHead head_{};
  std::string body_{};
  std::size_t size_{};
  std::optional<Error> failure_{};
};

/// Why there is no document in an answer of success with this body, beside the decoder's `problem` with it:
/// an error that came in its place, a page of HTML, nothing, or not all of it.
Error unreadable(const ResponseHead& head, std::string_view body, Error problem);

/// One attempt after another, each with a whole answer. As Call.
class WholeCall {
 public:
  WholeCall(CallScope scope, HttpRequest request, const Subject* subject = nullptr)
      : call_(std::move(scope), std::move(request), AnswerForm::whole, answer_, subject) {}

  /// Moves the attempt. Nothing: it waits for `need()`. Otherwise it is over, and the answer is whole, or a
  /// refusal, unless there is an error.
  std::optional<Result<void>> step();
  const Need& need() const noexcept { return call_.need(); }
  /// Does what Call::again does.
  bool again(Error& error) { return call_.again(error); }

  const WholeAnswer& answer() const noexcept { return answer_; }
  void describe(ResponseInfo& info) const;
  Observation* observation() noexcept { return call_.observation(); }

 private:
  WholeAnswer answer_;
  Call call_;
};

}  // namespace inferwire::inline v0_1::client
