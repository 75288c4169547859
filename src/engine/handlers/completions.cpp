#include "engine/handlers/completions.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/answer.hpp"
#include "engine/handlers/choices.hpp"
#include "engine/handlers/token_log.hpp"
#include "protocol/sse_writer.hpp"
#include "wire/documents.hpp"

namespace inferwire::inline v0_1::engine {
namespace {

/// What streamed and whole answers have in common: the prompts' own scores, then the turns of the choices, in
/// their time.
class CompletionAnswer : public Generation {
 public:
  CompletionAnswer(CompletionPlan plan, CallFrame frame, std::string content_type)
      : plan_(std::move(plan)),
        frame_(std::move(frame)),
        head_(make_head(200, std::move(content_type), frame_.request_id)),
        pacer_(frame_),
        logs_(plan_.prompts.size() * static_cast<std::size_t>(plan_.attempts), TokenLog(*plan_.model)) {
    if (!plan_.logprobs || plan_.echoes.empty()) return;
    for (const auto& prompt : plan_.prompts) {
      scorers_.emplace_back(*plan_.model, prompt, plan_.options.sampling.top_logprobs);
    }
  }

  const ResponseHead& head() const final { return head_; }
  bool streamed() const final { return plan_.streamed; }

 protected:
  /// Fills in what chunks and responses say about themselves.
  template <class Document>
  void sign(Document& document) const {
    document.id = "cmpl-" + frame_.number;
    document.object = "text_completion";
    document.created = frame_.created;
    document.model = plan_.served_model;
    document.system_fingerprint = std::string(plan_.model->id());
  }

  /// Scores a token of a prompt whose echo needs it; false when there is none left.
  bool score() {
    const auto next =
        std::find_if(scorers_.begin(), scorers_.end(), [](const auto& scorer) { return !scorer.finished(); });
    if (next == scorers_.end()) return false;
    next->step();
    return true;
  }

  /// The choices; the prompts are read with the first call.
  Choices& choices() {
    if (!choices_) choices_.emplace(plan_.model, plan_.prompts, plan_.options, plan_.attempts);
    return *choices_;
  }
  std::size_t count() const noexcept { return logs_.size(); }
  std::size_t prompt_of(std::size_t index) const { return index / static_cast<std::size_t>(plan_.attempts); }

  /// Begins the choice at `index` with its prompt.
  void echo(completions::Choice& choice, std::size_t index) {
    choice.text = plan_.echoes[prompt_of(index)];
    if (scorers_.empty()) return;
    auto& logprobs = choice.logprobs.emplace();
    for (const auto& [token, sample] : scorers_[prompt_of(index)].tokens()) {
      logs_[index].add(logprobs, token, sample);
    }
  }
  void log(completions::Logprobs& logprobs, const Choices::Turn& turn) {
    logs_[turn.index].add(logprobs, turn.piece.token->token, turn.piece.token);
  }

  const CompletionPlan& plan() const noexcept { return plan_; }
  Pacer& pacer() noexcept { return pacer_; }

 private:
  CompletionPlan plan_;
  CallFrame frame_;
  ResponseHead head_;
  Pacer pacer_;
  std::vector<PromptScorer> scorers_;
  std::vector<TokenLog> logs_;
  std::optional<Choices> choices_;
};

class WholeCompletion final : public CompletionAnswer {
 public:
  WholeCompletion(CompletionPlan plan, CallFrame frame)
      : CompletionAnswer(std::move(plan), std::move(frame), "application/json"), scores_(count()) {
    sign(response_);
    response_.choices.resize(count());
  }

  Step step(TimePoint now) override {
    if (sent_) return {};
    if (score()) return {.kind = Step::Kind::bytes};
    if (!begun_) begin();
    if (choices().finished()) return send();
    if (!pacer().is_due(now)) return {.kind = Step::Kind::wait, .until = pacer().due()};
    pacer().took_one();
    add(choices().next());
    return {.kind = Step::Kind::bytes};
  }

 private:
  /// How likely a completion was, its end apart.
  struct Score {
    double logprob{};
    int tokens{};

    double mean() const noexcept { return tokens > 0 ? logprob / tokens : 0; }
  };

  void begin() {
    begun_ = true;
    for (std::size_t i = 0; i < count(); ++i) {
      auto& choice = response_.choices[i];
      if (!plan().echoes.empty()) echo(choice, i);
      if (plan().logprobs && !choice.logprobs) choice.logprobs.emplace();
      // A choice that may have no token at all never has a turn.
      if (const auto reason = choices().finish_reason(i)) choice.finish_reason = to_wire(*reason);
    }
  }

  void add(Choices::Turn turn) {
    auto& choice = response_.choices[turn.index];
    choice.text += turn.piece.text;
    if (turn.piece.token) {
      scores_[turn.index].logprob += static_cast<double>(turn.piece.token->logprob);
      ++scores_[turn.index].tokens;
      if (choice.logprobs) log(*choice.logprobs, turn);
    }
    if (turn.finish) choice.finish_reason = to_wire(*turn.finish);
  }

  /// The likeliest attempts at each prompt, in their order of likelihood where there are more than are
  /// wanted.
  std::vector<completions::Choice> chosen() {
    const auto attempts = static_cast<std::size_t>(plan().attempts);
    std::vector<completions::Choice> out;
    for (std::size_t first = 0; first < count(); first += attempts) {
      std::vector<std::size_t> order;
      for (std::size_t i = 0; i < attempts; ++i) order.push_back(first + i);
      if (plan().attempts > plan().choices) {
        std::ranges::stable_sort(
            order, [this](std::size_t a, std::size_t b) { return scores_[a].mean() > scores_[b].mean(); });
      }
      order.resize(static_cast<std::size_t>(plan().choices));
      for (const auto i : order) out.push_back(std::move(response_.choices[i]));
    }
    return out;
  }

  Step send() {
    response_.choices = chosen();
    std::int64_t index = 0;
    for (auto& choice : response_.choices) {
      choice.index = index++;
      choice.text += plan().suffix;
    }
    response_.usage = choices().usage();
    sent_ = true;
    const auto encoded = json::encode_to(body_, response_);
    return encoded ? Step{.kind = Step::Kind::bytes, .bytes = body_} : Step{.kind = Step::Kind::broken};
  }

  completions::Response response_;
  std::vector<Score> scores_;
  std::string body_;
  bool begun_{};
  bool sent_{};
};

class StreamedCompletion final : public CompletionAnswer {
 public:
  StreamedCompletion(CompletionPlan plan, CallFrame frame)
      : CompletionAnswer(std::move(plan), std::move(frame), "text/event-stream"), logprobs_(count()) {
    sign(chunk_);
  }

  Step step(TimePoint now) override {
    if (ended_) return {};
    out_.clear();
    if (score()) return {.kind = Step::Kind::bytes};
    if (!std::exchange(begun_, true)) {
      begin();
    } else if (choices().finished()) {
      end();
    } else if (pacer().is_due(now)) {
      pacer().took_one();
      take(choices().next());
    } else {
      return {.kind = Step::Kind::wait, .until = pacer().due()};
    }
    return failed_ ? Step{.kind = Step::Kind::broken} : Step{.kind = Step::Kind::bytes, .bytes = out_};
  }

 private:
  void begin() {
    for (std::size_t i = 0; i < count(); ++i) {
      if (!plan().echoes.empty()) {
        echo(only_choice(i), i);
        write(plan().usage.every);
      }
      if (const auto reason = choices().finish_reason(i)) finish(i, *reason);
    }
  }

  void take(Choices::Turn turn) {
    auto& logprobs = logprobs_[turn.index];
    if (plan().logprobs && turn.piece.token) log(logprobs, turn);
    // Logprobs of text that is held back wait for it.
    if (!turn.piece.text.empty() || (turn.finish && !logprobs.tokens.empty())) {
      auto& choice = only_choice(turn.index);
      choice.text = std::move(turn.piece.text);
      if (!logprobs.tokens.empty()) choice.logprobs = std::exchange(logprobs, {});
      write(plan().usage.every);
    }
    if (turn.finish) finish(turn.index, *turn.finish);
  }

  void finish(std::size_t index, FinishReason reason) {
    auto& choice = only_choice(index);
    choice.text = plan().suffix;
    choice.finish_reason = to_wire(reason);
    write(plan().usage.every || (plan().usage.finish && choices().finished()));
  }

  void end() {
    ended_ = true;
    if (plan().usage.last) {
      chunk_.choices.clear();
      write(true);
    }
    out_ += protocol::done_event;
  }

  completions::Choice& only_choice(std::size_t index) {
    chunk_.choices.resize(1);
    chunk_.choices[0] = {.index = static_cast<std::int64_t>(index)};
    return chunk_.choices[0];
  }

  void write(bool with_usage) {
    chunk_.usage.reset();
    if (with_usage) chunk_.usage = choices().usage();
    failed_ |= !append_chunk(out_, encoded_, chunk_, plan().usage.last && !with_usage);
  }

  completions::Chunk chunk_;  // one for all, so that its memory is used again
  std::vector<completions::Logprobs> logprobs_;
  std::string encoded_;
  std::string out_;
  bool begun_{};
  bool ended_{};
  bool failed_{};
};

}  // namespace

std::unique_ptr<Generation> answer_completion(CompletionPlan plan, CallFrame frame) {
  if (plan.streamed) return std::make_unique<StreamedCompletion>(std::move(plan), std::move(frame));
  return std::make_unique<WholeCompletion>(std::move(plan), std::move(frame));
}

}  // namespace inferwire::inline v0_1::engine
