/// \file
/// What answers of generated text have in common, streamed or whole, in chats and completions.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "engine/answer/answer.hpp"
#include "engine/answer/call_frame.hpp"
#include "engine/handlers/choices.hpp"
#include "engine/plan/sampling_plan.hpp"
#include "inferwire/engine/service.hpp"
#include "json/codec.hpp"
#include "protocol/framing/sse_writer.hpp"

namespace inferwire::inline v0_1::engine {

/// A token of work a step, in its time. What becomes of it is in the virtual functions, which write what is
/// to be sent by `put` and `put_chunk`.
class TextAnswer : public Generation {
 public:
  TextAnswer(const CallFrame& frame, bool streamed)
      : framing_(frame.dialect.streams.framing),
        head_(make_head(200, streamed ? media_type(framing_) : "application/json", frame.request_id)),
        streamed_(streamed),
        pacer_(frame),
        cut_at_(frame.cut_at) {}

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
    } else if (now >= cut_at_) {
      take(choices().cut());
    } else if (pacer_.is_due(now)) {
      pacer_.took_one();
      take(choices().next());
    } else {
      return {.kind = Step::Kind::wait, .until = std::min(pacer_.due(), cut_at_)};
    }
    return failed_ ? Step{.kind = Step::Kind::broken} : Step{.kind = Step::Kind::bytes, .bytes = out_};
  }

 protected:
  /// Reads the prompts.
  virtual Choices start() const = 0;
  /// What comes before the first turn, a small piece of work at a time; true when it is done.
  virtual bool begin() { return true; }
  virtual void take(Choices::Turn turn) = 0;
  /// What comes after the last turn.
  virtual void end() = 0;

  Choices& choices() {
    if (!choices_) choices_.emplace(start());
    return *choices_;
  }

  template <class Response>
  void put(const Response& response) {
    failed_ |= !json::encode_to(out_, response);
  }
  /// A chunk as a frame. Who asked for a last chunk with the usage is told in all others that it is still to
  /// come.
  template <class Chunk>
  void put_chunk(Chunk& chunk, const UsageChunks& usage, bool with_usage) {
    chunk.usage.reset();
    if (with_usage) chunk.usage = choices().usage();
    constexpr json::Override still_to_come{"usage", "null"};
    const bool counts_later = usage.last && !with_usage;
    failed_ |= !json::encode_to(scratch_, chunk, {&still_to_come, counts_later ? 1U : 0U});
    append_frame(out_, framing_, scratch_);
  }
  /// The last chunk, where it was asked for, and the end mark; lines have none.
  template <class Chunk>
  void put_end(Chunk& chunk, const UsageChunks& usage) {
    if (usage.last) {
      chunk.choices.clear();
      put_chunk(chunk, usage, true);
    }
    if (framing_ == Framing::sse) out_ += protocol::done_event;
  }

 private:
  Framing framing_;
  ResponseHead head_;
  bool streamed_;
  TokenPacer pacer_;
  TimePoint cut_at_;  // whatever has been said by then is the answer
  std::optional<Choices> choices_;
  std::string scratch_;
  std::string out_;
  bool begun_{};
  bool over_{};
  bool failed_{};
};

}  // namespace inferwire::inline v0_1::engine
