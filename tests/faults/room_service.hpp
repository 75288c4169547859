/// \file
/// A service with all rooms, whose every answer says "one two three", and the text of a call of each room.
#pragma once

#include "faults/chat_service.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire_test {

/// The answers to a room's calls. Each is longer than `least_answer` bytes.
struct RoomAnswers {
  std::string_view path;
  std::string whole;
  std::vector<std::string> stream;  ///< empty: the room has no streams
};

inline constexpr std::size_t least_answer = 170;

inline std::string completion_chunk(const std::string& text, const std::string& finish = "null") {
  return R"(data: {"id":"c","choices":[{"index":0,"text":")" + text + R"(","finish_reason":)" + finish +
         "}]}\n\n";
}
inline std::string text_delta(const std::string& text) {
  return R"(data: {"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":")" + text +
         "\"}\n\n";
}

inline const std::string whole_response =
    R"({"id":"r1","object":"response","status":"completed","output":[{"type":"message","id":"m1",)"
    R"("role":"assistant","status":"completed","content":[{"type":"output_text","text":"one two three",)"
    R"("annotations":[]}]}],"usage":{"input_tokens":3,"output_tokens":3,"total_tokens":6}})";

inline const std::array rooms{
    RoomAnswers{
        "/chat/completions", whole_body, {chunk("one "), chunk("two "), chunk("three", R"("stop")"), done}},
    RoomAnswers{
        "/completions",
        R"({"id":"c1","object":"text_completion","choices":[{"index":0,"text":"one two three",)"
        R"("finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":3,"total_tokens":6}})",
        {completion_chunk("one "), completion_chunk("two "), completion_chunk("three", R"("stop")"), done}},
    RoomAnswers{"/embeddings",
                R"({"object":"list","model":"a model with a name that takes up some room in the answer",)"
                R"("data":[{"object":"embedding","index":0,"embedding":[1.0,2.0,3.0]}],)"
                R"("usage":{"prompt_tokens":3,"total_tokens":3}})",
                {}},
    RoomAnswers{
        "/responses",
        whole_response,
        {R"(data: {"type":"response.created","response":{"id":"r1","status":"in_progress","output":[]}})"
         "\n\n",
         text_delta("one "), text_delta("two "), text_delta("three"),
         R"(data: {"type":"response.completed","response":)" + whole_response + "}\n\n"}},
};

/// The good answer of the requested room.
inline inferwire::testing::Reply answer_of_room(const inferwire::HttpRequest& request) {
  for (const auto& room : rooms) {
    if (!request.url.ends_with("/v1" + std::string(room.path))) continue;
    return wants_stream(request) ? inferwire::testing::Reply::stream(room.stream)
                                 : inferwire::testing::Reply::json(room.whole);
  }
  return inferwire::testing::Reply::error(404);
}

/// The text of an answer or a part of one.
template <class Answer>
std::string text_of(const Answer& answer) {
  return std::string(answer.text());
}
inline std::string text_of(const inferwire::responses::Response& answer) { return answer.output_text(); }
inline std::string text_of(const inferwire::embeddings::Response& answer) {
  return answer.data.at(0).embedding == std::vector<float>{1, 2, 3} ? "one two three" : "other numbers";
}

/// Calls `visit(room, request)` with room `number`, counted from 0, and a request for it.
template <class Visit>
void with_room(const inferwire::Client& client, std::size_t number, Visit visit) {
  switch (number % rooms.size()) {
    case 0: return visit(client.chat, hello);
    case 1:
      return visit(client.completions, inferwire::completions::Request{.model = "m", .prompt = "Hello"});
    case 2: return visit(client.embeddings, inferwire::embeddings::Request{.model = "m", .input = "Hello"});
    default: return visit(client.responses, inferwire::responses::Request{.model = "m", .input = "Hello"});
  }
}

}  // namespace inferwire_test
