#include "wire/completion_text.hpp"

#include "inferwire/chat.hpp"
#include "json/codec.hpp"
#include "wire/lenient_json.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::wire {
namespace {

/// Whether a message or a delta holds nothing but its text.
bool is_text_alone(const Json& said) {
  return std::ranges::none_of(said.members(), [](const Member& member) {
    return member.name != "role" && member.name != "content" && says_something(member.value);
  });
}

bool take_chat_text(completions::Choice& choice) {
  for (const std::string_view name : {"message", "delta"}) {
    const Json* const said = choice.extra.find(name);
    if (said == nullptr || !said->is_object()) continue;
    const auto delta = json::decode<chat::Delta>(said->text());
    if (!delta) return false;
    choice.text = delta->text();
    const bool alone = is_text_alone(*said);
    if (alone) choice.extra.erase(name);
    return alone || !choice.text.empty();
  }
  return false;
}

}  // namespace

bool take_chat_texts(std::vector<completions::Choice>& choices) {
  bool changed = false;
  for (completions::Choice& choice : choices) {
    if (choice.text.empty() && !choice.extra.empty() && take_chat_text(choice)) changed = true;
  }
  return changed;
}

}  // namespace inferwire::inline v0_1::wire
