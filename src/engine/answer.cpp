#include "engine/answer.hpp"

#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

class WholeAnswer final : public Generation {
 public:
  WholeAnswer(ResponseHead head, std::string body) : head_(std::move(head)), body_(std::move(body)) {}

  const ResponseHead& head() const override { return head_; }
  bool streamed() const override { return false; }
  Step step(TimePoint) override {
    if (std::exchange(sent_, true)) return {};
    return {.kind = Step::Kind::bytes, .bytes = body_};
  }

 private:
  ResponseHead head_;
  std::string body_;
  bool sent_{};
};

}  // namespace

ResponseHead make_head(int status, std::string content_type, std::string request_id) {
  return {.status = status,
          .headers = {{"content-type", std::move(content_type)}, {"x-request-id", std::move(request_id)}}};
}

std::unique_ptr<Generation> whole_answer(ResponseHead head, std::string body) {
  return std::make_unique<WholeAnswer>(std::move(head), std::move(body));
}

std::unique_ptr<Generation> refusal_answer(const Dialect& dialect, const Refusal& refusal,
                                           std::string request_id) {
  auto head = make_head(error_status(dialect.errors, refusal), "application/json", std::move(request_id));
  for (auto& header : error_headers(dialect.errors, refusal)) head.headers.push_back(std::move(header));
  return whole_answer(std::move(head), error_body(dialect.errors, refusal));
}

}  // namespace inferwire::inline v0_1::engine
