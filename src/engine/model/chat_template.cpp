#include "engine/model/chat_template.hpp"

#include "engine/model/tokenizer.hpp"

namespace inferwire::inline v0_1::engine {
namespace {

Special marker_of(std::string_view role) {
  if (role == "system") return Special::system;
  if (role == "assistant") return Special::assistant;
  if (role == "tool") return Special::tool;
  return Special::user;
}

void append_defused(std::string_view text, std::string& out) {
  while (true) {
    const SpecialMatch match = find_special(text);
    out += text.substr(0, match.position);
    if (match.position == std::string_view::npos) return;
    out += '<';
    text.remove_prefix(match.position + 2);
  }
}

}  // namespace

std::string render_chat(std::span<const ChatTurn> turns) {
  std::string out;
  for (const ChatTurn& turn : turns) {
    const Special marker = marker_of(turn.role);
    out += spelling(marker);
    append_defused(turn.text, out);
    if (marker == Special::assistant) out += spelling(Special::end);
  }
  out += spelling(Special::assistant);
  return out;
}

}  // namespace inferwire::inline v0_1::engine
