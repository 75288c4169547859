#include "wire/agent_chat.hpp"

#include "json/codec.hpp"
#include "json/text.hpp"
#include "json/text_at.hpp"
#include "wire/documents.hpp"
#include "wire/lenient_json.hpp"

#include <algorithm>
#include <initializer_list>

namespace inferwire::inline v0_1::wire {
namespace {

/// Appends the members of `object` that have other names.
void append_others(std::string& out, const Json& object, std::initializer_list<std::string_view> names) {
  for (const Member& member : object.members()) {
    if (std::ranges::find(names, member.name) != names.end()) continue;
    json::append_name(out, member.name);
    out += member.value.text();
  }
}

/// Puts `said`, a member of choice 0, and `steps`, elements of `messages`, in place of what the object has
/// instead of choices.
std::string with_choice(const Json& object, std::string_view said, std::string_view steps) {
  std::string out = R"({"choices":[{"index":0,)";
  out += said;
  if (const auto reason = object.find("/finish_reason")) (out += R"(,"finish_reason":)") += reason->text();
  out += "}]";
  append_others(out, object, {"choices", "delta", "finish_reason", "messages"});
  if (!steps.empty()) ((out += R"(,"messages":[)") += steps) += ']';
  return out + '}';
}

bool is_of_agent(std::string_view role) { return role.empty() || role == "assistant"; }

/// Whether a message is a call or a result.
bool is_step(const Json& message, std::string_view role) {
  if (!is_of_agent(role)) return true;
  const auto calls = message.find("/tool_calls");
  return calls && !calls->items().empty();
}

}  // namespace

std::string agent_chunk(std::string_view text, const Json& delta) {
  const auto role = json::text_at(delta, "/role");
  std::string said = R"("delta":{)";
  if (is_of_agent(role)) append_others(said, delta, {"tool_calls"});
  return with_choice(Json::raw(std::string(text)), said + '}', is_step(delta, role) ? delta.text() : "");
}

std::optional<std::string> agent_answer(std::string_view text) {
  const auto answer = Json::parse(text);
  if (!answer) return std::nullopt;
  if (says_something(answer->find("/choices")) || says_something(answer->find("/error"))) return std::nullopt;
  const auto messages = answer->find("/messages");
  if (!messages || messages->items().empty()) return std::nullopt;
  bool answered = false;
  std::string words, steps;
  for (const Json& message : messages->items()) {
    const auto role = json::text_at(message, "/role");
    if (role.empty()) return std::nullopt;
    if (is_of_agent(role)) {
      answered = true;
      if (const auto decoded = json::decode<chat::Message>(message.text())) words += decoded->text();
    }
    if (is_step(message, role)) (steps += steps.empty() ? "" : ",") += message.text();
  }
  if (!answered) return std::nullopt;
  std::string said = R"("message":{"role":"assistant","content":)";
  json::append_string(said, words);
  return with_choice(*answer, said + '}', steps);
}

}  // namespace inferwire::inline v0_1::wire
