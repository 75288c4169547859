/// \file
/// Folds the pieces of tool calls that stream deltas carry.
#pragma once

#include "inferwire/chat.hpp"
#include "json/document_end.hpp"
#include "wire/tool_call_ids.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::wire {

/// Adds the next part of a name, or takes the name again from a server that repeats it in each piece.
void add_name(std::string& name, const Optional<std::string>& piece);

/// Finds the call that a piece belongs to: the one with its `index`; without an index the one with its `id`;
/// otherwise the latest. Exceptions for servers that deviate from this:
/// - a repeated index with a name and another id begins a new call (servers that always send 0); after
///   complete arguments, so does another name, or, if there are no ids, a name with arguments (Gemini);
/// - a new id without a name continues the call (servers that make up an id for every piece);
/// - several pieces without index, id and name each continue the call at their position (Kimi);
/// - a call that began without an index takes that of the first piece that begins no call of its own;
/// - arguments without id and name, even empty ones, under an index that no call has continue the latest
///   call, as long as its arguments are open (DeepSeek, whose calls may begin under another index; Nebius,
///   which counts pieces);
/// - pieces of a name that follow each other are joined (Gemini), unless they repeat it from its beginning
///   (NVIDIA);
/// - arguments are their last piece that is not blank, if that is an object and either begins with all pieces
///   before it (vLLM, which may repeat them at the end) or each piece begins with the one before (Baidu,
///   which repeats them in each piece), unless a limit has cut them;
/// - an empty object before other arguments is dropped (Gemini; gateways in front of Claude);
/// - a call with the id, name and arguments of another, or with its id, its name and no arguments, is a
///   repetition and dropped (LocalAI);
/// - a call without a name, arguments and unknown members is dropped (LM Studio);
/// - calls beyond 1024 are dropped; an index is a key, never a size.
class ToolCallFold {
 public:
  /// Takes the pieces of one delta.
  void add(const std::vector<chat::ToolCallDelta>& pieces);

  /// The complete calls, up to the first that is not and without those given before, each with an id.
  /// `ended`: all calls are complete.
  std::vector<chat::ToolCall> give(const std::string& seed, bool ended);

  /// The calls in the order in which they began, each with an id; see `give_id`. `cut`: the last may be cut.
  std::vector<chat::ToolCall> take(const std::string& seed, bool cut) &&;

 private:
  struct Open {
    Optional<std::int64_t> index{};
    chat::ToolCall call{};
    json::DocumentEnd arguments_end{};
    std::size_t last_piece{};  ///< where the last piece of the arguments begins
    bool repeats{};            ///< whether a piece of the arguments began with the one before
    bool differs{};            ///< whether another did not
    bool had_name{true};       ///< whether the last piece had a name, or a part of one

    bool is_ended_by(const chat::ToolCallDelta& piece);
    bool has_closed_arguments();
    /// Whether each piece of the arguments repeats the one before.
    bool grows() const noexcept { return repeats && !differs; }
    void begin_arguments(std::string_view piece);
    void drop_repeated_arguments();
  };

  void add(const chat::ToolCallDelta& piece, Optional<std::size_t> place);
  /// `place`: the position of the piece in its delta, if that has several.
  Open* find(const chat::ToolCallDelta& piece, Optional<std::size_t> place);
  Open* number(const chat::ToolCallDelta& piece);
  Open* continued(const chat::ToolCallDelta& piece);
  Open* begin(const chat::ToolCallDelta& piece);
  void drop_repeated_arguments();
  bool is_dropped(std::size_t place) const;

  std::vector<Open> calls_;
  std::size_t given_{};  ///< how many of them `give` has processed
};

}  // namespace inferwire::inline v0_1::wire
