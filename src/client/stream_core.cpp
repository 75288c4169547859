#include "client/stream_core.hpp"

#include <utility>

#include "client/http_error.hpp"

namespace inferwire::inline v0_1::detail {

StreamCore::StreamCore(std::shared_ptr<Core> core, StreamPlan plan)
    : core_(std::move(core)), plan_(std::move(plan)) {}

StreamCore::~StreamCore() = default;

Result<void> StreamCore::begin() {
  if (stillborn_) return std::move(*stillborn_);
  auto request = core_->request(plan_.route, plan_.model, std::move(plan_.body), true, plan_.options);
  if (!request) return std::move(request).error();
  decoder_.emplace(core_->max_event_bytes(), plan_.choices, core_->provider().stream.framing);
  client::Receiver& receiver = *this;
  call_.emplace(core_, std::move(*request), client::Shape::stream, plan_.options, receiver);
  return {};
}

StreamCore::Next StreamCore::next(void* element, const client::ElementOps& ops) {
  if (over_ != EndReason::none) return Next::end;
  if (!call_) {
    if (auto begun = begin(); !begun) return fail(std::move(begun).error());
  }
  for (;;) {
    switch (decoder_->next(element, ops, error_)) {
      case client::StreamDecoder::Next::element:
        ++info_.events;
        info_.not_streamed = decoder_->not_streamed();
        call_->on_event();
        return Next::element;
      case client::StreamDecoder::Next::complete:
        over_ = decoder_->end_reason();
        call_->describe(info_);
        call_->release();
        return Next::end;
      case client::StreamDecoder::Next::failed: return fail(std::move(error_));
      case client::StreamDecoder::Next::more: break;
    }
    if (auto moved = call_->advance(); !moved) return fail(std::move(moved).error());
  }
}

/// The last element: the call is over and its connection closed.
StreamCore::Next StreamCore::fail(Error error) {
  over_ = EndReason::failed;
  if (call_) {
    call_->describe(info_);
    if (error.status == 0) error.status = info_.head.status;
    if (error.request_id.empty()) {
      error.request_id = info_.request_id;
      error.request_id_header = info_.request_id_header;
    }
    error = call_->finished(std::move(error));
    call_.reset();
  } else if (error.provider.empty() && core_) {
    error.provider = core_->provider().name;
  }
  error_ = std::move(error);
  return Next::failed;
}

void StreamCore::on_head(const ResponseHead& head) {
  info_.head = head;
  const auto [id, header] = client::request_id(head);
  info_.request_id = id;
  info_.request_id_header = header;
  decoder_->on_head(head);
}

void StreamCore::on_body(std::string_view bytes) {
  info_.bytes += bytes.size();
  decoder_->on_body(bytes);
}

void StreamCore::on_end(const Error* failure) { decoder_->on_end(failure); }

}  // namespace inferwire::inline v0_1::detail
