#include "engine/handlers/completions.hpp"

#include "engine/handlers/text_answer.hpp"
#include "engine/handlers/token_log.hpp"
#include "wire/documents.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::engine {
namespace {

/// What streamed and whole completions have in common.
class CompletionAnswer : public TextAnswer {
 public:
  CompletionAnswer(CompletionPlan plan, CallFrame frame)
      : TextAnswer(std::move(frame), plan.streamed, plan.usage),
        plan_(std::move(plan)),
        logs_(plan_.prompts.size() * static_cast<std::size_t>(plan_.attempts), TokenLog(*plan_.model)) {
    if (!plan_.logprobs || plan_.echoes.empty()) return;
    for (const auto& prompt : plan_.prompts) {
      scorers_.emplace_back(*plan_.model, prompt, plan_.options.sampling.top_logprobs);
    }
  }

 protected:
  /// Fills in what identifies a chunk or response.
  template <class Signed>
  void sign(Signed& answer) const {
    answer.id = "cmpl-" + frame().id_suffix;
    answer.object = "text_completion";
    answer.created = frame().created;
    answer.model = plan_.served_model;
    answer.system_fingerprint = std::string(plan_.model->id());
  }

  Choices start() const final {
    return {plan_.model, plan_.prompts, plan_.most_tokens, plan_.options, plan_.attempts};
  }
  /// Scores the prompts whose echoes need it, then begins every choice.
  bool begin() final {
    if (score()) return false;
    for (std::size_t i = 0; i < count(); ++i) begin_choice(i);
    return true;
  }
  virtual void begin_choice(std::size_t index) = 0;
  std::size_t count() const noexcept { return logs_.size(); }
  std::size_t prompt_of(std::size_t index) const { return index / static_cast<std::size_t>(plan_.attempts); }

  /// Puts the prompt at the start of the choice at `index`.
  void echo(completions::Choice& choice, std::size_t index) {
    choice.text = plan_.echoes[prompt_of(index)];
    if (scorers_.empty()) return;
    auto& logprobs = choice.logprobs.emplace();
    for (const auto& [token, sample] : scorers_[prompt_of(index)].tokens()) {
      logs_[index].add(logprobs, token, sample);
    }
  }
  void log(completions::Logprobs& logprobs, const Choices::Turn& turn) {
    for (const auto& token : turn.tokens) logs_[turn.index].add(logprobs, token.token, token);
  }

  const CompletionPlan& plan() const noexcept { return plan_; }

 private:
  /// Scores a token of a prompt whose echo needs it; false if none is left.
  bool score() {
    const auto next =
        std::find_if(scorers_.begin(), scorers_.end(), [](const auto& scorer) { return !scorer.finished(); });
    if (next == scorers_.end()) return false;
    next->step();
    return true;
  }

  CompletionPlan plan_;
  std::vector<PromptScorer> scorers_;
  std::vector<TokenLog> logs_;
};

class WholeCompletion final : public CompletionAnswer {
 public:
  WholeCompletion(CompletionPlan plan, CallFrame frame)
      : CompletionAnswer(std::move(plan), std::move(frame)), scores_(count()) {
    sign(response_);
    response_.choices.resize(count());
  }

 private:
  /// How likely a completion was, not counting its end.
  struct Score {
    double logprob{};
    int tokens{};

    double mean() const noexcept { return tokens > 0 ? logprob / tokens : 0; }
  };

  void begin_choice(std::size_t index) override {
    auto& choice = response_.choices[index];
    if (!plan().echoes.empty()) echo(choice, index);
    if (plan().logprobs && !choice.logprobs) choice.logprobs.emplace();
  }

  void take(Choices::Turn turn, TimePoint) override {
    auto& choice = response_.choices[turn.index];
    choice.text += turn.text;
    for (const auto& token : turn.tokens) {
      scores_[turn.index].logprob += static_cast<double>(token.logprob);
      ++scores_[turn.index].tokens;
    }
    if (choice.logprobs) log(*choice.logprobs, turn);
    if (turn.finish) choice.finish_reason = to_wire(*turn.finish);
  }

  /// The likeliest attempts at each prompt, ordered by likelihood if there are more than requested.
  std::vector<completions::Choice> chosen() {
    const auto attempts = static_cast<std::size_t>(plan().attempts);
    std::vector<completions::Choice> out;
    for (std::size_t first = 0; first < count(); first += attempts) {
      std::vector<std::size_t> order;
      for (std::size_t i = 0; i < attempts; ++i) order.push_back(first + i);
      if (plan().attempts > plan().choices) {
        // The earlier of equally likely ones comes first; clang complains about libstdc++'s stable_sort.
        std::ranges::sort(order, std::less(),
                          [this](std::size_t i) { return std::pair(-scores_[i].mean(), i); });
      }
      order.resize(static_cast<std::size_t>(plan().choices));
      for (const auto i : order) out.push_back(std::move(response_.choices[i]));
    }
    return out;
  }

  void end() override {
    response_.choices = chosen();
    std::int64_t index = 0;
    for (auto& choice : response_.choices) {
      choice.index = index++;
      choice.text += plan().suffix;
    }
    response_.usage = choices().usage();
    put(response_);
  }

  completions::Response response_;
  std::vector<Score> scores_;
};

class StreamedCompletion final : public CompletionAnswer {
 public:
  StreamedCompletion(CompletionPlan plan, CallFrame frame)
      : CompletionAnswer(std::move(plan), std::move(frame)) {
    sign(chunk_);
  }

 private:
  void begin_choice(std::size_t index) override {
    if (!plan().echoes.empty()) {
      echo(only_choice(index), index);
      put_chunk(chunk_);
    }
  }

  void take(Choices::Turn turn, TimePoint) override {
    const bool logs = plan().logprobs && !turn.tokens.empty();
    if (!turn.text.empty() || logs) {
      auto& choice = only_choice(turn.index);
      choice.text = std::move(turn.text);
      if (logs) log(choice.logprobs.emplace(), turn);
      put_chunk(chunk_);
    }
    if (turn.finish) finish(turn.index, *turn.finish);
  }

  void finish(std::size_t index, GenerationEnd reason) {
    auto& choice = only_choice(index);
    choice.text = plan().suffix;
    choice.finish_reason = to_wire(reason);
    put_chunk(chunk_);
  }

  void end() override { put_end(chunk_); }

  completions::Choice& only_choice(std::size_t index) {
    chunk_.choices.resize(1);
    chunk_.choices[0] = {.index = static_cast<std::int64_t>(index)};
    return chunk_.choices[0];
  }

  completions::Chunk chunk_;  // shared by all chunks, so that its memory is reused
};

}  // namespace

std::unique_ptr<Generation> answer_completion(CompletionPlan plan, CallFrame frame) {
  if (plan.streamed) return std::make_unique<StreamedCompletion>(std::move(plan), std::move(frame));
  return std::make_unique<WholeCompletion>(std::move(plan), std::move(frame));
}

}  // namespace inferwire::inline v0_1::engine
