#include "engine/answer/answer.hpp"

#include "protocol/framing/json_lines_writer.hpp"
#include "protocol/framing/sse_writer.hpp"

#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

class WholeAnswer final : public Generation {
 public:
  WholeAnswer(ResponseHead head, std::string body, bool streamed)
      : head_(std::move(head)), body_(std::move(body)), streamed_(streamed) {}

  const ResponseHead& head() const override { return head_; }
  bool streamed() const override { return streamed_; }
  Step step(TimePoint) override {
    if (std::exchange(sent_, true)) return {};
    return {.kind = Step::Kind::bytes, .bytes = body_};
  }

 private:
  ResponseHead head_;
  std::string body_;
  bool streamed_;
  bool sent_{};
};

}  // namespace

ResponseHead make_head(int status, std::string content_type, std::string request_id) {
  return {.status = status,
          .headers = {{"content-type", std::move(content_type)}, {"x-request-id", std::move(request_id)}}};
}

const char* media_type(Framing framing) noexcept {
  return framing == Framing::sse ? "text/event-stream" : "application/jsonlines";
}

void append_frame(std::string& out, Framing framing, std::string_view json) {
  if (framing == Framing::sse) {
    protocol::append_event(out, json);
  } else {
    protocol::append_line(out, json);
  }
}

std::unique_ptr<Generation> whole_answer(ResponseHead head, std::string body, bool streamed) {
  return std::make_unique<WholeAnswer>(std::move(head), std::move(body), streamed);
}

std::unique_ptr<Generation> json_answer(std::string body, std::string request_id) {
  return whole_answer(make_head(200, "application/json", std::move(request_id)), std::move(body));
}

std::unique_ptr<Generation> refusal_answer(const Dialect& dialect, const Refusal& refusal,
                                           std::string request_id) {
  ResponseHead head{.status = error_status(dialect.errors, refusal),
                    .headers = {{"content-type", "application/json"},
                                {std::string(dialect.request_id_header), std::move(request_id)}}};
  for (const auto& [name, value] : error_headers(dialect.errors, refusal)) head.headers.add(name, value);
  return whole_answer(std::move(head), error_body(dialect.errors, refusal));
}

}  // namespace inferwire::inline v0_1::engine
