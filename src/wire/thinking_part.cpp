#include "wire/thinking_part.hpp"

#include "json/text.hpp"

#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::wire {

namespace {

// The text around a joined part, so that the next piece can be inserted.
constexpr std::string_view front = R"({"type":"thinking","thinking":[{"type":"text","text":")";
constexpr std::string_view back = R"("}]})";

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

bool fold_thinking(std::vector<chat::ContentPart>& parts, const chat::ContentPart& piece) {
  const auto said = thinking_in(piece);
  if (!said || std::get<Unknown>(piece).json.members().size() != 2) return false;
  if (std::get<Unknown>(piece).json.find("/thinking")->is_string()) return false;
  auto* const last = parts.empty() ? nullptr : std::get_if<Unknown>(&parts.back());
  const bool goes_on =
      last != nullptr && last->json.text().starts_with(front) && last->json.text().ends_with(back);
  std::string text = goes_on ? std::move(last->json).text() : std::string(front) + std::string(back);
  text.resize(text.size() - back.size());
  std::string quoted;
  json::append_string(quoted, *said);
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
