#include "client/call/whole_call.hpp"

#include "base/ended_call.hpp"
#include "client/call/http_error.hpp"
#include "json/scanner.hpp"
#include "protocol/framing/media_type.hpp"
#include "wire/error_body.hpp"

#include <algorithm>
#include <charconv>

namespace inferwire::inline v0_1::client {

namespace {

// A declared length is only a hint: never more than this is reserved for it. The answer with 256 embeddings
// of 1,536 numbers is half as long.
constexpr std::size_t most_reserved = std::size_t{16} << 20U;

}  // namespace

void WholeAnswer::describe(ResponseInfo& info) const {
  add_head_facts(info, head_);
  info.bytes = body_.size();
}

void WholeAnswer::on_retry() { *this = {}; }

void WholeAnswer::on_head(const ResponseHead& head) {
  head_ = head;
  if (!is_success(head.status)) return;
  std::size_t length = 0;
  if (const auto value = find_header(head.headers, "content-length")) {
    std::from_chars(value->data(), value->data() + value->size(), length);
  }
  body_.reserve(std::min(length, most_reserved));
}

void WholeAnswer::on_body(std::string_view bytes) { body_.append(bytes); }

void WholeAnswer::on_end(const Error* failure) {
  if (failure != nullptr) failure_ = *failure;
  body_.reserve(1);  // an empty body is followed by padding, too
}

Error unreadable(const ResponseHead& head, std::string_view body, Error problem) {
  if (auto facts = wire::error_in_unread(body)) {
    return embedded_error(head, std::move(*facts), body);
  }
  const auto media = protocol::media_kind(find_header(head.headers, "content-type"));
  if (media == protocol::MediaKind::html || json::trim(body).starts_with('<')) return page_error(head, body);
  return unread_document(head, body, std::move(problem));
}

std::optional<Result<void>> WholeCall::step() {
  const auto step = call_.step();
  if (step == Call::Step::waiting) return std::nullopt;
  Receiver& receiver = answer_;
  if (step == Call::Step::broken) receiver.on_end(&call_.error());
  if (!answer_.failure()) return Result<void>();
  // An error status is reported even if its body broke off: a server that does not read the whole request
  // closes the connection after its answer.
  auto error = *answer_.failure();
  const int status = answer_.head().status;
  if (status == 0) return Result<void>(std::move(error));
  if (!is_success(status) && !ends_call(error)) return Result<void>();
  add_head_facts(error, answer_.head());
  return Result<void>(std::move(error));
}

void WholeCall::describe(ResponseInfo& info) const {
  call_.describe(info);
  answer_.describe(info);
}

}  // namespace inferwire::inline v0_1::client
