#include "engine/script/played_message.hpp"

#include <string>
#include <utility>
#include <vector>

#include "engine/answer/answer.hpp"
#include "engine/handlers/chat_signature.hpp"
#include "engine/handlers/choices.hpp"
#include "engine/model/stop_filter.hpp"
#include "protocol/framing/sse_writer.hpp"
#include "wire/documents.hpp"

namespace inferwire::inline v0_1::engine {
namespace {

/// What is sent, and whether a token's time passes before it.
struct PlayedPiece {
  std::string bytes{};
  bool paced{};
};

/// Sends pieces in their time; whole answers are one piece, for which the time of all tokens passes.
class PlayedPieces final : public Generation {
 public:
  PlayedPieces(std::vector<PlayedPiece> pieces, bool streamed, const CallFrame& frame)
      : pieces_(std::move(pieces)),
        streamed_(streamed),
        head_(make_head(200, streamed ? media_type(frame.dialect.framing) : "application/json",
                        frame.request_id)),
        pacer_(frame) {}

  const ResponseHead& head() const override { return head_; }
  bool streamed() const override { return streamed_; }
  Step step(TimePoint now) override {
    if (at_ == pieces_.size()) return {};
    const auto& piece = pieces_[at_];
    if (piece.paced) {
      if (!pacer_.is_due(now)) return {.kind = Step::Kind::wait, .until = pacer_.due()};
      pacer_.took_one();
    }
    ++at_;
    return {.kind = Step::Kind::bytes, .bytes = piece.bytes};
  }

 private:
  std::vector<PlayedPiece> pieces_;
  bool streamed_;
  ResponseHead head_;
  Pacer pacer_;
  std::size_t at_{};
};

/// Makes the pieces of one answer.
class Player {
 public:
  Player(const ChatPlan& plan, const CallFrame& frame, const reply::Message& message)
      : plan_(plan), frame_(frame), form_(frame.dialect.chat), message_(message) {
    if (message.parts.empty()) {
      if (!message.text.empty()) content_ = message.text;
    } else {
      content_ = parts();
    }
    for (const auto& text : texts())
      tokens_ += static_cast<std::int64_t>(plan.model->tokenize(text, false).size());
  }

  std::vector<PlayedPiece> whole() {
    chat::Response response;
    sign_chat(response, frame_, plan_, form_.object, form_.says_model);
    for (int i = 0; i < plan_.choices; ++i) {
      auto& choice = response.choices.emplace_back();
      choice.index = i;
      choice.message = {.role = chat::Role::assistant, .content = content_};
      for (const auto& call : message_.calls) choice.message.tool_calls.push_back(call_of(call, i));
      if (!content_)
        choice.message.extra.append("content", Json::raw(message_.calls.empty() ? "\"\"" : "null"));
      say_no_logprobs(choice, form_, plan_);
      choice.extra_fields = plan_.extra_fields;
      choice.finish_reason = finish();
    }
    response.usage = usage();
    // Before the answer leaves, the time of all of its tokens has passed.
    for (std::int64_t i = 0; i < tokens_; ++i) pieces_.push_back({.paced = true});
    pieces_.push_back({.bytes = json::encode(response).value_or("")});
    return std::move(pieces_);
  }

  std::vector<PlayedPiece> streamed() {
    sign_chat(chunk_, frame_, plan_, form_.chunk_object, form_.chunks_say_model);
    for (int i = 0; i < plan_.choices; ++i) stream_choice(i);
    if (plan_.usage.last) {
      chunk_.choices.clear();
      put(false, true);
    }
    if (frame_.dialect.framing == Framing::sse)
      pieces_.push_back({.bytes = std::string(protocol::done_event)});
    return std::move(pieces_);
  }

 private:
  void stream_choice(int index) {
    says_role_ = true;
    if (form_.first_delta != FirstDelta::role_and_text) {
      const bool in_string = message_.parts.empty() && (message_.calls.empty() || !message_.text.empty());
      auto& first = delta(index);
      if (form_.first_delta == FirstDelta::role_and_no_text && in_string) first.content = "";
      put(false, plan_.usage.every);
    }
    if (!message_.parts.empty()) {
      delta(index).content = content_;
      put(true, plan_.usage.every);
    }
    for (auto& text : pieces_of(message_.parts.empty() ? message_.text : "")) {
      delta(index).content = std::move(text);
      put(true, plan_.usage.every);
    }
    for (std::size_t call = 0; call < message_.calls.size(); ++call) stream_call(index, call);
    auto& last = delta(index);
    if (form_.finish_beside_text && message_.calls.empty() && message_.parts.empty()) last.content = "";
    chunk_.choices[0].finish_reason = finish();
    put(false, plan_.usage.every || (plan_.usage.finish && index + 1 == plan_.choices));
  }

  void stream_call(int index, std::size_t number) {
    const auto& call = message_.calls[number];
    const auto named = call_of(call, index);
    delta_of(index, number) = {.index = static_cast<std::int64_t>(number),
                               .id = named.id,
                               .type = named.type,
                               .function = chat::FunctionCallDelta{.name = call.name, .arguments = ""}};
    put(false, plan_.usage.every);
    for (auto& piece : pieces_of(call.arguments)) {
      delta_of(index, number).function = chat::FunctionCallDelta{.arguments = std::move(piece)};
      put(true, plan_.usage.every);
    }
  }

  /// The delta of the chunk to come; the first of a choice says the role.
  chat::Delta& delta(int index) {
    chunk_.choices.assign(1, {.index = index});
    auto& choice = chunk_.choices[0];
    say_no_logprobs(choice, form_, plan_);
    if (std::exchange(says_role_, false)) choice.delta.role = chat::Role::assistant;
    return choice.delta;
  }
  chat::ToolCallDelta& delta_of(int index, std::size_t number) {
    auto& calls = delta(index).tool_calls;
    calls.push_back({.index = static_cast<std::int64_t>(number)});
    return calls.back();
  }

  void put(bool paced, bool with_usage) {
    chunk_.usage.reset();
    if (with_usage) chunk_.usage = usage();
    PlayedPiece piece{.paced = paced};
    constexpr json::Override still_to_come{"usage", "null"};
    const bool counts_later = plan_.usage.last && !with_usage;
    append_frame(piece.bytes, frame_.dialect.framing,
                 json::encode(chunk_, {&still_to_come, counts_later ? 1U : 0U}).value_or("{}"));
    pieces_.push_back(std::move(piece));
  }

  chat::ToolCall call_of(const reply::Call& call, int choice) const {
    const auto number = static_cast<std::size_t>(&call - message_.calls.data());
    return {.id = "call_" + frame_.number + "_" + std::to_string(choice) + "_" + std::to_string(number),
            .type = "function",
            .function = chat::FunctionCall{.name = call.name, .arguments = call.arguments}};
  }

  /// The text in pieces of a token, none of which cuts a character.
  std::vector<std::string> pieces_of(std::string_view text) const {
    std::vector<std::string> out;
    StopFilter whole_characters({});
    for (const Token token : plan_.model->tokenize(text, false)) {
      if (auto piece = whole_characters.feed(plan_.model->token_bytes(token)).emit; !piece.empty()) {
        out.push_back(std::move(piece));
      }
    }
    if (auto rest = whole_characters.flush().emit; !rest.empty()) out.push_back(std::move(rest));
    return out;
  }

  std::vector<std::string> texts() const {
    std::vector<std::string> out{message_.text};
    for (const auto& part : message_.parts) out.push_back(part);
    for (const auto& call : message_.calls) out.push_back(call.arguments);
    return out;
  }

  chat::Content parts() const {
    std::string document = R"({"role":"assistant","content":[)";
    for (const auto& part : message_.parts) {
      if (document.back() != '[') document += ',';
      document += part;
    }
    const auto decoded = json::decode<chat::Message>(document + "]}");
    return decoded && decoded->content ? *decoded->content : chat::Content();
  }

  inferwire::FinishReason finish() const {
    using Words = inferwire::FinishReason;
    if (!message_.calls.empty() && form_.says_calls) return Words::tool_calls;
    return form_.says_what_stopped ? Words::eos_token : Words::stop;
  }

  Usage usage() const {
    const auto prompt = static_cast<std::int64_t>(plan_.prompt.size());
    return {.prompt_tokens = prompt,
            .completion_tokens = tokens_ * plan_.choices,
            .total_tokens = prompt + tokens_ * plan_.choices};
  }

  const ChatPlan& plan_;
  const CallFrame& frame_;
  const ChatForm& form_;
  const reply::Message& message_;
  std::optional<chat::Content> content_;
  std::int64_t tokens_{};
  bool says_role_{};  ///< the next delta
  chat::Chunk chunk_;
  std::vector<PlayedPiece> pieces_;
};

}  // namespace

std::unique_ptr<Generation> answer_message(ChatPlan plan, const CallFrame& frame,
                                           const reply::Message& message) {
  Player player(plan, frame, message);
  auto pieces = plan.streamed ? player.streamed() : player.whole();
  return std::make_unique<PlayedPieces>(std::move(pieces), plan.streamed, frame);
}

}  // namespace inferwire::inline v0_1::engine
