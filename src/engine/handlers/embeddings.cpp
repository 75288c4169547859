#include "engine/handlers/embeddings.hpp"

#include "base/little_endian.hpp"
#include "engine/answer/answer.hpp"
#include "engine/handlers/token_pacer.hpp"
#include "json/base64.hpp"
#include "wire/documents.hpp"

#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::engine {
namespace {

/// The bytes of the floats in base64, as JSON.
Json base64_of(const std::vector<float>& row) {
  std::string bytes;
  append_little_endian(bytes, row);
  std::string text = "\"";
  json::append_base64(text, bytes);
  return Json::raw(text += '"');
}

void append_row(std::string& out, const std::vector<float>& row) {
  out += '[';
  for (const float value : row) {
    if (out.back() != '[') out += ',';
    std::array<char, 32> digits{};
    out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
  }
  out += ']';
}

class EmbeddingAnswer final : public Generation {
 public:
  EmbeddingAnswer(EmbeddingPlan plan, CallFrame frame)
      : plan_(std::move(plan)), head_(make_head(200, "application/json", frame.request_id)), pacer_(frame) {
    if (frame.dialect.embeddings.says_id) response_.id = "embd-" + frame.id_suffix;
    response_.object = "list";
    response_.model = plan_.served_model;
    response_.usage = {.prompt_tokens = plan_.tokens, .total_tokens = plan_.tokens};
  }

  const ResponseHead& head() const override { return head_; }
  bool streamed() const override { return false; }

  Step step(TimePoint now) override {
    if (sent_) return {};
    if (!pacer_.is_due(now)) return {.kind = Step::Kind::wait, .until = pacer_.due()};
    if (response_.data.size() == plan_.texts.size()) return send();
    add(plan_.texts[response_.data.size()]);
    return {.kind = Step::Kind::bytes};
  }

 private:
  void add(std::string_view text) {
    auto& item = response_.data.emplace_back();
    item.object = "embedding";
    item.index = static_cast<std::int64_t>(response_.data.size()) - 1;
    item.embedding.resize(plan_.dimensions);
    plan_.model->embed(text, plan_.instruction, item.embedding);
    if (!plan_.base64) return;
    item.extra.append("embedding", base64_of(item.embedding));
    item.embedding.clear();
  }

  /// Writes the rows in LMI's form.
  void write_rows() {
    body_ = plan_.lone ? "" : "[";
    for (const auto& item : response_.data) {
      if (item.index > 0) body_ += ',';
      append_row(body_, item.embedding);
    }
    if (!plan_.lone) body_ += ']';
  }

  Step send() {
    sent_ = true;
    if (plan_.bare_rows) {
      write_rows();
      return {.kind = Step::Kind::bytes, .bytes = body_};
    }
    const auto encoded = json::encode_to(body_, response_);
    return encoded ? Step{.kind = Step::Kind::bytes, .bytes = body_} : Step{.kind = Step::Kind::broken};
  }

  EmbeddingPlan plan_;
  ResponseHead head_;
  TokenPacer pacer_;
  embeddings::Response response_;
  std::string body_;
  bool sent_{};
};

}  // namespace

std::unique_ptr<Generation> answer_embedding(EmbeddingPlan plan, CallFrame frame) {
  return std::make_unique<EmbeddingAnswer>(std::move(plan), std::move(frame));
}

}  // namespace inferwire::inline v0_1::engine
