#include "client/whole_call.hpp"

#include <algorithm>
#include <charconv>

#include "client/http_error.hpp"
#include "json/codec.hpp"

namespace inferwire::inline v0_1::client {

void WholeAnswer::describe(ResponseInfo& info) const {
  info.head = head_;
  const auto [id, header] = request_id(head_);
  info.request_id = id;
  info.request_id_header = header;
  info.bytes = size_;
}

void WholeAnswer::on_retry() { *this = {}; }

void WholeAnswer::on_head(const ResponseHead& head) {
  head_ = head;
  std::size_t length = 0;
  if (const auto value = find_header(head.headers, "content-length")) {
    std::from_chars(value->data(), value->data() + value->size(), length);
  }
  // A claimed length is a hint, not a promise: never more than this is reserved on its word.
  body_.reserve(std::min<std::size_t>(length, 1u << 20) + json::padding);
}

void WholeAnswer::on_body(std::string_view bytes) { body_.append(bytes); }

void WholeAnswer::on_end(const Error* failure) {
  if (failure != nullptr) failure_ = *failure;
  size_ = body_.size();
  body_.append(json::padding, '\0');
}

std::optional<Result<void>> WholeCall::step() {
  if (call_.step() == Call::Step::waiting) return std::nullopt;
  const bool broken = call_.broken();
  // What a refusal says counts, though its body may have broken off: a server that does not read what is sent
  // to it closes the connection behind its answer.
  const int status = answer_.head().status;
  const bool refused = status != 0 && !is_success(status);
  if (!broken && (!answer_.failure() || refused)) return Result<void>();
  auto error = broken ? std::move(call_.error()) : *answer_.failure();
  if (status != 0) {
    error.status = status;
    take_request_id(error, answer_.head());
  }
  return Result<void>(std::move(error));
}

void WholeCall::describe(ResponseInfo& info) const {
  call_.describe(info);
  answer_.describe(info);
}

}  // namespace inferwire::inline v0_1::client
