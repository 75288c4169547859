// The bundled model: tokenizer, n-gram model, recall, prompt cache and retrieval as one LanguageModel.
#include "engine/model/toy_model.hpp"

#include "base/immortal.hpp"
#include "engine/model/chat_template.hpp"
#include "engine/model/corpus.hpp"
#include "engine/model/examples.hpp"
#include "engine/model/kneser_ney.hpp"
#include "engine/model/prompt_cache.hpp"
#include "engine/model/recall.hpp"
#include "engine/model/retrieval.hpp"
#include "engine/model/tokenizer.hpp"
#include "engine/model/vector_math.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace inferwire::inline v0_1::engine {

LanguageModel::~LanguageModel() = default;
LanguageModel::State::~State() = default;

namespace {

constexpr int vocabulary_size_wanted = 1024;

/// An n-gram model has no limit of context; the endpoints that serve it set their own. This is the largest of
/// them, and the last resort against a generation whose end marker is banned.
constexpr int longest_text = 262'144;

/// The last tokens of a text, as many as the model uses.
class Recent {
 public:
  void push(Token token) {
    if (size_ == tokens_.size()) {
      std::copy(tokens_.begin() + 1, tokens_.end(), tokens_.begin());
      --size_;
    }
    tokens_[size_++] = token;
  }
  std::span<const Token> tokens() const { return std::span{tokens_}.first(size_); }

 private:
  std::array<Token, Recall::longest> tokens_{};
  std::size_t size_ = 0;
};

/// What is known about a prompt besides its last tokens.
struct Prompt {
  PromptCache cache;
  Examples examples;
};

struct ToyState final : LanguageModel::State {
  Recent recent{};
  std::shared_ptr<const Prompt> prompt{};  // shared by clones: it never changes
  PromptCache::Place place = 0;
  int generated = 0;

  std::unique_ptr<State> clone() const override {
    auto copy = std::make_unique<ToyState>();
    copy->recent = recent;
    copy->prompt = prompt;
    copy->place = place;
    copy->generated = generated;
    return copy;
  }
};

/// A text of the corpus and the special token after it.
struct Segment {
  std::string_view text;
  Special marker;
};

std::vector<Segment> segments_of(std::span<const std::string_view> files) {
  std::vector<Segment> segments;
  for (std::string_view file : files) {
    for (SpecialMatch match = find_special(file); match.position != std::string_view::npos;
         match = find_special(file)) {
      std::string_view text = file.substr(0, match.position);
      file.remove_prefix(match.position + spelling(match.special).size());
      while (text.starts_with('\n')) text.remove_prefix(1);
      while (text.ends_with('\n')) text.remove_suffix(1);
      segments.push_back({text, match.special});
    }
  }
  return segments;
}

Tokenizer learn_tokenizer(std::span<const Segment> segments) {
  std::vector<std::string_view> texts;
  texts.reserve(segments.size());
  for (const Segment& segment : segments) texts.push_back(segment.text);
  return Tokenizer::learn(texts, vocabulary_size_wanted);
}

/// The documents as tokens, preceded by the end marker of an imaginary one.
std::vector<Token> tokens_of(std::span<const Segment> segments, const Tokenizer& tokenizer) {
  std::vector<Token> tokens{tokenizer.token(Special::end)};
  for (const Segment& segment : segments) {
    const std::vector<Token> text = tokenizer.encode(segment.text, false);
    tokens.insert(tokens.end(), text.begin(), text.end());
    tokens.push_back(tokenizer.token(segment.marker));
  }
  return tokens;
}

Voice::Markers markers_of(const Tokenizer& tokenizer) {
  return {.document_end = tokenizer.token(Special::end),
          .answer_begin = tokenizer.token(Special::assistant),
          .context_only = tokenizer.token(Special::system)};
}

/// The additional probability that an answer ends after `generated` tokens: long ones at the end of a
/// sentence, very long ones anywhere. Without it, an unlimited generation might never end.
constexpr float end_hazard(int generated, bool after_sentence) noexcept {
  constexpr int long_answer = 120;
  constexpr int very_long_answer = 240;
  if (generated >= very_long_answer && !after_sentence) return 0.02F;
  if (generated >= long_answer && after_sentence) return 0.25F;
  return 0.0F;
}

class ToyModel final : public LanguageModel {
 public:
  ToyModel(Tokenizer tokenizer, std::vector<Token> corpus)
      : tokenizer_{std::move(tokenizer)},
        ngrams_{{.tokens = std::span{corpus}.subspan(1),
                 .markers = markers_of(tokenizer_),
                 .vocabulary_size = tokenizer_.size()}},
        retrieval_{tokenizer_, corpus},
        recall_{std::move(corpus), markers_of(tokenizer_)} {}

  std::string_view id() const override { return "inferwire-toy-1"; }
  int vocabulary_size() const override { return tokenizer_.size(); }
  int context_window() const override { return longest_text; }

  std::vector<Token> tokenize(std::string_view utf8, bool parse_special) const override {
    return tokenizer_.encode(utf8, parse_special);
  }
  std::string_view token_bytes(Token token) const override { return tokenizer_.bytes(token); }
  bool is_end(Token token) const override { return token == tokenizer_.token(Special::end); }
  std::string render(std::span<const ChatTurn> turns) const override { return render_chat(turns); }

  std::unique_ptr<State> start(std::span<const Token> prompt) const override {
    auto state = std::make_unique<ToyState>();
    state->prompt = std::make_shared<Prompt>(
        Prompt{.cache = PromptCache{tokenizer_, prompt}, .examples = retrieval_.find(tokenizer_, prompt)});
    state->recent.push(tokenizer_.token(Special::end));  // as at the beginning of a document
    for (const Token token : prompt) read(*state, token);
    return state;
  }

  void advance(State& state, Token token) const override {
    auto& toy = static_cast<ToyState&>(state);
    read(toy, token);
    ++toy.generated;
  }

  // P = (1 - nu) * ((1 - lambda) * ((1 - mu) * n-grams + mu * recall) + lambda * cache) + nu * examples, then
  // the hazard.
  void log_probs(const State& state, std::span<float> out) const override {
    const auto& toy = static_cast<const ToyState&>(state);
    ngrams_.probabilities(toy.recent.tokens(), out);
    recall_.mix(toy.recent.tokens(), out);
    toy.prompt->cache.mix(toy.place, out);
    toy.prompt->examples.mix(toy.recent.tokens(), out);
    if (const float hazard = end_hazard(toy.generated, after_sentence(toy)); hazard > 0) {
      scale(out, 1 - hazard, out);
      out[static_cast<std::size_t>(tokenizer_.token(Special::end))] += hazard;
    }
    logarithms(out, out);
  }

 private:
  void read(ToyState& state, Token token) const {
    state.recent.push(token);
    state.place = state.prompt->cache.advance(state.place, token);
  }

  bool after_sentence(const ToyState& state) const {
    const std::string_view last = tokenizer_.bytes(state.recent.tokens().back());
    return last.ends_with('.') || last.ends_with('!') || last.ends_with('?') || last.ends_with('\n');
  }

  Tokenizer tokenizer_;
  KneserNey ngrams_;
  Retrieval retrieval_;
  Recall recall_;
};

}  // namespace

std::shared_ptr<const LanguageModel> learn_toy_model() {
  const std::vector<Segment> segments = segments_of(corpus());
  Tokenizer tokenizer = learn_tokenizer(segments);
  std::vector<Token> tokens = tokens_of(segments, tokenizer);
  return std::make_shared<ToyModel>(std::move(tokenizer), std::move(tokens));
}

std::shared_ptr<const LanguageModel> toy_model() {
  static const Immortal<std::shared_ptr<const LanguageModel>> model(learn_toy_model());
  return model.value;
}

}  // namespace inferwire::inline v0_1::engine
