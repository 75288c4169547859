#include "engine/handlers/token_log.hpp"

#include "base/utf8.hpp"
#include "engine/utf8.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

/// OpenAI's spelling of a token; one that is not valid text, such as part of a character, as "bytes:\xc3".
std::string spelling_of(std::string_view bytes) {
  auto text = to_utf8(bytes);
  if (text == bytes) return text;
  text = "bytes:";
  for (const char c : bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else {
      text.append("\\x").append(1, digits[byte >> 4U]).append(1, digits[byte & 0xFU]);
    }
  }
  return text;
}

}  // namespace

PromptScorer::PromptScorer(const LanguageModel& model, std::span<const Token> prompt, int top)
    : model_(model),
      prompt_(prompt),
      top_(top),
      state_(model.start({})),
      log_probs_(static_cast<std::size_t>(model.vocabulary_size())) {}

void PromptScorer::step() {
  const Token token = prompt_[tokens_.size()];
  PromptToken entry{.token = token};
  if (!tokens_.empty()) {
    model_.log_probs(*state_, log_probs_);
    entry.sample = Sample{.token = token,
                          .logprob = log_probs_[static_cast<std::size_t>(token)],
                          .top = likeliest_tokens(log_probs_, top_)};
  }
  model_.advance(*state_, token);
  tokens_.push_back(std::move(entry));
}

void TokenLog::add(completions::Logprobs& log, Token token, const std::optional<Sample>& sample) {
  const auto bytes = model_->token_bytes(token);
  log.tokens.push_back(spelling_of(bytes));
  log.token_logprobs.emplace_back();
  log.top_logprobs.emplace_back();
  if (sample) {
    log.token_logprobs.back() = static_cast<double>(sample->logprob);
    auto& top = log.top_logprobs.back().emplace();
    bool has_token = false;
    for (const auto& [other, logprob] : sample->top) {
      top.push_back({spelling_of(model_->token_bytes(other)), static_cast<double>(logprob)});
      has_token |= other == token;
    }
    // The token itself is listed even if others are likelier: there may be one more than requested.
    if (!has_token) top.push_back({log.tokens.back(), static_cast<double>(sample->logprob)});
  }
  log.text_offset.push_back(offset_);
  offset_ += static_cast<std::int64_t>(utf8::characters_in(bytes));
}

}  // namespace inferwire::inline v0_1::engine
