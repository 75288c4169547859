/// \file
/// The common part of answers of generated text, streamed or whole.
#pragma once

#include "engine/answer/answer.hpp"
#include "engine/answer/call_frame.hpp"
#include "engine/handlers/choices.hpp"
#include "engine/handlers/token_pacer.hpp"
#include "engine/plan/sampling_plan.hpp"
#include "inferwire/engine/service.hpp"
#include "json/codec.hpp"
#include "protocol/framing/sse_writer.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::engine {

/// Does one token of work per step, when it is due. The virtual functions handle it and write the output with
/// `put`, `put_chunk` and `put_event`.
class TextAnswer : public Generation {
 public:
  TextAnswer(CallFrame frame, bool streamed, UsageChunks usage = {})
      : frame_(std::move(frame)),
        head_(make_head(200, streamed ? media_type(framing()) : "application/json", frame_.request_id)),
        streamed_(streamed),
        usage_(usage),
        pacer_(frame_) {}

  const ResponseHead& head() const final { return head_; }
  bool streamed() const final { return streamed_; }

  Step step(TimePoint now) final {
    if (over_) return {};
    out_.clear();
    if (!begun_) {
      begun_ = begin();
    } else if (choices().finished()) {
      over_ = true;
      end();
    } else if (now >= frame_.cut_at) {
      go_on(choices().cut(), now);
    } else if (pacer_.is_due(now)) {
      pacer_.took_one();
      go_on(choices().next(), now);
    } else {
      return {.kind = Step::Kind::wait, .until = std::min(pacer_.due(), frame_.cut_at)};
    }
    return failed_ ? Step{.kind = Step::Kind::broken} : Step{.kind = Step::Kind::bytes, .bytes = out_};
  }

 protected:
  /// Reads the prompts.
  virtual Choices start() const = 0;
  /// Does the work before the first turn, a small piece at a time; true when done.
  virtual bool begin() { return true; }
  virtual void take(Choices::Turn turn, TimePoint now) = 0;
  /// Does the work after the last turn: in a step of its own, unless ends_with_last_turn().
  virtual void end() = 0;
  virtual bool ends_with_last_turn() const noexcept { return false; }

  const CallFrame& frame() const noexcept { return frame_; }
  Choices& choices() {
    if (!choices_) choices_.emplace(start());
    return *choices_;
  }

  template <class Response>
  void put(const Response& response, json::Spelling spelling = json::Spelling::flat) {
    failed_ |= !json::encode_to(out_, response, {}, spelling);
  }
  /// Writes a chunk of at most one choice as a frame, with the usage if this chunk carries it. If a last
  /// chunk with the usage was requested, all others have a null usage.
  template <class Chunk>
  void put_chunk(Chunk& chunk) {
    const bool is_last = chunk.choices.empty();
    const bool finishes = !is_last && chunk.choices.front().finish_reason.has_value() && choices().finished();
    const bool counts = is_last || usage_.every || (usage_.finish && finishes);
    chunk.usage.reset();
    if (counts) chunk.usage = choices().usage();
    constexpr json::Override still_to_come{"usage", "null"};
    const bool counts_later = usage_.last && !counts;
    failed_ |= !json::encode_to(scratch_, chunk, {&still_to_come, counts_later ? 1U : 0U});
    append_frame(out_, framing(), scratch_);
  }
  /// Writes an event that has a name.
  template <class Event>
  void put_event(std::string_view name, const Event& event, json::Spelling spelling) {
    failed_ |= !json::encode_to(scratch_, event, {}, spelling);
    protocol::append_event(out_, scratch_, name);
  }
  /// Writes the last chunk, if requested, and the end mark; lines have none.
  template <class Chunk>
  void put_end(Chunk& chunk) {
    if (usage_.last) {
      chunk.choices.clear();
      put_chunk(chunk);
    }
    if (framing() == Framing::sse) out_ += protocol::done_event;
  }

 private:
  void go_on(Choices::Turn turn, TimePoint now) {
    take(std::move(turn), now);
    if (!ends_with_last_turn() || !choices().finished()) return;
    over_ = true;
    end();
  }

  Framing framing() const noexcept { return frame_.dialect.streams.framing; }

  CallFrame frame_;
  ResponseHead head_;
  bool streamed_;
  UsageChunks usage_;
  TokenPacer pacer_;
  std::optional<Choices> choices_;
  std::string scratch_;
  std::string out_;
  bool begun_{};
  bool over_{};
  bool failed_{};
};

}  // namespace inferwire::inline v0_1::engine
