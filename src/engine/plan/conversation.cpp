#include "engine/plan/conversation.hpp"

#include "engine/plan/attachment.hpp"
#include "engine/plan/rule_check.hpp"
#include "engine/utf8.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {
namespace {

using CallIds = std::set<std::string, std::less<>>;

/// The calls of a conversation so far.
struct Calls {
  CallIds all{};
  CallIds answerable{};  ///< those that the next message may answer
  /// Those that have been answered, each with the index of the message that did.
  std::map<std::string, std::size_t, std::less<>> answered{};
};

/// A message that is checked. Borrows it from the request, as its role.
struct CheckedMessage {
  const Document& message;
  std::string_view role;
  std::size_t index;
  Place place;
};

bool is_system(std::string_view role) { return role == "system" || role == "developer"; }

/// `place` is that of the object in the part, here and below.
std::optional<Refusal> check_image_part(const Document& image, const Place& place) {
  if (auto offence = need_text(image, "url", place)) return offence;
  return check_image(text(member(image, "url")), place.member("url"));
}

std::optional<Refusal> check_file_part(const Document& file, const Place& place) {
  if (member(file, "file_id") != nullptr) return need_text(file, "file_id", place);
  if (auto offence = need_text(file, "file_data", place)) return offence;
  return check_file_data(text(member(file, "file_data")), place.member("file_data"));
}

std::optional<Refusal> check_sound_part(const Document& sound, const Place& place) {
  for (const auto* name : {"data", "format"}) {
    if (auto offence = need_text(sound, name, place)) return offence;
  }
  return check_sound(text(member(sound, "data")), place.member("data"));
}

/// Checks a part that holds an object under the name of its type.
std::optional<Refusal> check_attachment(const Document& part, std::string_view type, const Place& place) {
  const auto* inside = member(part, type);
  const auto here = place.member(type);
  if (inside == nullptr) return refuse::missing(here.text());
  if (!inside->is_object()) return refuse::wrong_type(here.text(), "an object", kind_of(*inside));
  if (type == "image_url") return check_image_part(*inside, here);
  return type == "file" ? check_file_part(*inside, here) : check_sound_part(*inside, here);
}

std::optional<Refusal> check_part(const Document& part, std::string_view role, const Place& place) {
  if (auto offence = need_text(part, "type", place)) return offence;
  const auto type = text(member(part, "type"));
  if (type == "text") return need_text(part, "text", place);
  if (type == "refusal" && role == "assistant") return need_text(part, "refusal", place);
  if (type == "reasoning" && role == "assistant") return std::nullopt;
  const bool attached = type == "image_url" || type == "file" || type == "input_audio";
  if (attached && role == "user") return check_attachment(part, type, place);
  return refuse::invalid_value(place.member("type").text(),
                               "expected 'text', but got '" + shortened(type) + "'");
}

bool has_calls(const Document& message) {
  const auto* calls = member(message, "tool_calls");
  return calls != nullptr && !calls->empty();
}

/// Whether a message may have no content: OpenAI documents that a function's may be null.
bool needs_no_content(const CheckedMessage& checked) {
  const auto& message = checked.message;
  if (checked.role != "assistant") return checked.role == "function";
  return has_calls(message) || member(message, "function_call") != nullptr ||
         !text(member(message, "refusal")).empty();
}

std::optional<Refusal> check_role(const CheckedMessage& checked, const ConversationRules& rules) {
  if (!is_system(checked.role) || !rules.system_first_only || checked.index == 0) return std::nullopt;
  return refuse::invalid_value(checked.place.member("role").text(),
                               "a system message comes once, as the first message");
}

/// Content is allowed next to calls even on Databricks, whose documentation rules it out: models there write
/// text before they call, and their message has to be sent back.
std::optional<Refusal> check_content(const CheckedMessage& checked) {
  const auto* content = member(checked.message, "content");
  const auto here = checked.place.member("content");
  if (content == nullptr) {
    return needs_no_content(checked) ? std::optional<Refusal>() : refuse::missing(here.text());
  }
  if (!content->is_array()) return std::nullopt;
  if (content->empty())
    return refuse::invalid_value(here.text(), "expected at least 1 element, but got none");
  for (std::size_t i = 0; i < content->size(); ++i) {
    if (auto offence = check_part((*content)[i], checked.role, here.element(i))) return offence;
  }
  return std::nullopt;
}

/// Checks the result of a function in OpenAI's former kind of calls, which has names instead of ids.
std::optional<Refusal> check_function_result(const CheckedMessage& checked) {
  if (checked.role != "function" || member(checked.message, "name") != nullptr) return std::nullopt;
  return refuse::missing(checked.place.member("name").text());
}

/// Checks the calls of a message, which only an assistant's may have. After one that is not an answer,
/// `known` holds as answerable those that it makes, if answers have to follow.
std::optional<Refusal> check_calls(const CheckedMessage& checked, const ConversationRules& rules,
                                   Calls& known) {
  const bool at_once = rules.answers_follow_calls || rules.answers_all_calls;
  if (at_once && checked.role != "tool") known.answerable.clear();
  if (!has_calls(checked.message)) return std::nullopt;
  const auto& calls = *member(checked.message, "tool_calls");
  const auto here = checked.place.member("tool_calls");
  if (checked.role != "assistant") {
    return refuse::invalid_value(here.text(), "only messages with role 'assistant' call tools");
  }
  // vLLM itself gives such ids: https://github.com/vllm-project/vllm/issues/50295
  if (rules.ids_per_message) known.all.clear();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto& call = calls[i];
    const auto call_place = here.element(i);
    const auto id = text(member(call, "id"));
    known.answerable.emplace(id);
    if (!known.all.emplace(id).second) {
      return refuse::invalid_value(call_place.member("id").text(), "expected an id that no other call has");
    }
    if (member(call, "cache_control") != nullptr && !rules.cache_control) {
      return refuse::unsupported(call_place.member("cache_control").text(),
                                 "is only accepted by Claude models");
    }
    if (!rules.object_arguments) continue;
    if (auto offence = check_arguments(*member(call, "function"), call_place.member("function"))) {
      return offence;
    }
  }
  return std::nullopt;
}

/// Checks the id of the call that a message answers. If all calls have to be answered, each is answered once.
std::optional<Refusal> check_answer(const CheckedMessage& checked, const ConversationRules& rules,
                                    Calls& known) {
  const auto id = text(member(checked.message, "tool_call_id"));
  const auto here = checked.place.member("tool_call_id");
  if (checked.role != "tool") {
    return id.empty() ? std::optional<Refusal>()
                      : refuse::invalid_value(here.text(), "only messages with role 'tool' have one");
  }
  if (id.empty()) return refuse::missing(here.text());
  if (!known.answerable.contains(id)) {
    return refuse::invalid_value(here.text(), "expected the id of a tool call that can be answered here");
  }
  if (!rules.answers_all_calls) return std::nullopt;
  const auto [first, is_first] = known.answered.emplace(id, checked.index);
  return is_first ? std::optional<Refusal>() : refuse::answered_twice(id, first->second, checked.index);
}

/// Checks that each call of the message at `index` is answered by the messages directly after it.
std::optional<Refusal> check_answered(const Document& messages, std::size_t index) {
  auto next = index + 1;
  CallIds answered;
  for (; next < messages.size() && text(member(messages[next], "role")) == "tool"; ++next) {
    answered.emplace(text(member(messages[next], "tool_call_id")));
  }
  std::vector<std::string_view> open;
  for (const auto& call : *member(messages[index], "tool_calls")) {
    if (const auto id = text(member(call, "id")); !answered.contains(id)) open.push_back(id);
  }
  if (open.empty()) return std::nullopt;
  // OpenAI's service spells the path like this.
  return refuse::unanswered_calls(
      open, next < messages.size() ? "messages.[" + std::to_string(next) + "].role" : "messages");
}

/// Checks that answers follow a message with calls.
std::optional<Refusal> check_followed(const CheckedMessage& checked, const Document& messages,
                                      const ConversationRules& rules) {
  if (!has_calls(checked.message)) return std::nullopt;
  if (rules.answers_all_calls) {
    if (auto offence = check_answered(messages, checked.index)) return offence;
  }
  const auto next = checked.index + 1;
  const bool is_followed = next < messages.size() && text(member(messages[next], "role")) == "tool";
  if (is_followed || !rules.answers_follow_calls) return std::nullopt;
  return refuse::invalid_value(checked.place.member("tool_calls").text(),
                               "the next message has to be the answer of a tool");
}

/// Checks that user and assistant take turns in a conversation of the preview era.
std::optional<Refusal> check_turns(const Document& messages, const Place& place) {
  std::size_t i = !messages.empty() && text(member(messages[0], "role")) == "system" ? 1 : 0;
  for (std::string_view expected = "user"; i < messages.size(); ++i) {
    const auto role = text(member(messages[i], "role"));
    if (role != expected) {
      return refuse::invalid_value(
          place.text(), "roles have to alternate between 'user' and 'assistant'; expected '" +
                            std::string(expected) + "' at " + place.element(i).text() + ", but got '" +
                            std::string(role) + "'");
    }
    expected = expected == "user" ? "assistant" : "user";
  }
  if (text(member(messages.back(), "role")) != "user") {
    return refuse::invalid_value(place.text(), "the last message has to have role 'user'");
  }
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> check_conversation(const Document& messages, const ConversationRules& rules) {
  const Place place{.name = "messages"};
  Calls calls;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const CheckedMessage checked{messages[i], text(member(messages[i], "role")), i, place.element(i)};
    if (auto offence = check_role(checked, rules)) return offence;
    if (auto offence = check_content(checked)) return offence;
    if (auto offence = check_calls(checked, rules, calls)) return offence;
    if (auto offence = check_answer(checked, rules, calls)) return offence;
    if (auto offence = check_function_result(checked)) return offence;
    if (auto offence = check_followed(checked, messages, rules)) return offence;
  }
  return rules.alternates ? check_turns(messages, place) : std::nullopt;
}

}  // namespace inferwire::inline v0_1::engine
