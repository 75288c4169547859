#include "wire/thinking_part.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::wire {

namespace {

// The text around that of a joined part, so that the next piece can be inserted. Mistral adds `closed`.
constexpr std::string_view front = R"({"type":"thinking","thinking":[{"type":"text","text":")";
constexpr std::string_view backs[] = {R"("}]})", R"("}],"closed":true})", R"("}],"closed":false})"};

/// The end of a joined part; empty if the part was not joined.
std::string_view back_of(std::string_view part) noexcept {
  if (!part.starts_with(front)) return {};
  const auto* const back =
      std::ranges::find_if(backs, [part](std::string_view end) { return part.ends_with(end); });
  return back == std::end(backs) ? std::string_view() : *back;
}

/// The end of the part that a piece becomes; empty if the piece holds more than text.
std::string_view back_for(const Json& piece) {
  const auto members = piece.members().size();
  if (members == 2) return backs[0];
  const auto closed = piece.find("/closed");
  if (members != 3 || !closed || !closed->is_bool()) return {};
  return backs[closed->as_bool() == true ? 1 : 2];
}

/// The text of a list of text parts; nothing if it holds anything else.
Optional<std::string> text_in(const Json& list) {
  std::string out;
  if (!list.is_array()) return std::nullopt;
  for (const Json& item : list.items()) {
    const auto text = item.find("/text");
    auto words = text ? text->as_string() : Optional<std::string>();
    if (!words || item.members().size() != 2) return std::nullopt;
    out += *words;
  }
  return out;
}

}  // namespace

Optional<std::string> thinking_in(const chat::ContentPart& part) {
  const auto* const unknown = std::get_if<Unknown>(&part);
  if (unknown == nullptr || unknown->type() != "thinking") return std::nullopt;
  const auto thinking = unknown->json.find("/thinking");
  if (!thinking) return std::nullopt;
  return thinking->is_string() ? thinking->as_string() : text_in(*thinking);
}

bool fold_thinking(std::vector<chat::ContentPart>& parts, const chat::ContentPart& piece, bool continues) {
  const auto said = thinking_in(piece);
  if (!said || std::get<Unknown>(piece).json.find("/thinking")->is_string()) return false;
  auto back = back_for(std::get<Unknown>(piece).json);
  if (back.empty()) return false;
  auto* const last = parts.empty() ? nullptr : std::get_if<Unknown>(&parts.back());
  const auto last_back = last != nullptr ? back_of(last->json.text()) : std::string_view();
  const bool goes_on = continues && !last_back.empty();
  if (goes_on && back == backs[0]) back = last_back;
  std::string text = goes_on ? std::move(last->json).text() : std::string(front);
  if (goes_on) text.resize(text.size() - last_back.size());
  const auto quoted = Json::string(*said).text();
  text.append(quoted, 1, quoted.size() - 2);
  text += back;
  auto whole = Json::raw(std::move(text));
  if (goes_on) {
    last->json = std::move(whole);
  } else {
    parts.emplace_back(Unknown{std::move(whole)});
  }
  return true;
}

}  // namespace inferwire::inline v0_1::wire
