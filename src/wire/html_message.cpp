#include "wire/html_message.hpp"

#include "base/ascii.hpp"
#include "base/utf8.hpp"
#include "json/scanner.hpp"
#include "json/text.hpp"

#include <algorithm>
#include <cstddef>

namespace inferwire::inline v0_1::wire {
namespace {

constexpr std::size_t longest_element = 300;

/// The beginning of the text between `<tag ...>` and `</tag>`, without tags and with runs of spaces
/// collapsed.
std::string element(std::string_view html, std::string_view tag) {
  const std::size_t open = ascii::find_ignoring_case(html, "<" + std::string(tag));
  if (open == std::string_view::npos) return {};
  const std::size_t begin = html.find('>', open);
  if (begin == std::string_view::npos) return {};
  const std::size_t end =
      std::min(ascii::find_ignoring_case(html, "</" + std::string(tag), begin), html.size());
  std::string out;
  bool inside_tag = false;
  for (const char c : html.substr(begin + 1, end - begin - 1)) {
    if (c == '<') inside_tag = true;
    if (!inside_tag) {
      const bool space = json::is_space(c);
      if (!space) out += c;
      if (space && !out.empty() && out.back() != ' ') out += ' ';
    }
    if (c == '>') inside_tag = false;
    if (out.size() > longest_element) break;
  }
  out.resize(utf8::whole_characters(out, longest_element).size());
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

bool is_html(std::string_view text) {
  const std::string_view head = json::trim(text).substr(0, 512);
  return head.starts_with('<') &&
         (ascii::find_ignoring_case(head, "<html") != std::string_view::npos ||
          ascii::find_ignoring_case(head, "<!doctype html") != std::string_view::npos ||
          ascii::find_ignoring_case(head, "<head") != std::string_view::npos);
}

}  // namespace

std::optional<std::string> html_message(std::string_view text) {
  if (!is_html(text)) return std::nullopt;
  for (const std::string_view tag : {"pre", "title"}) {
    if (auto found = element(text, tag); !found.empty()) return found;
  }
  return element(text, "body");
}

std::string xml_text(std::string_view document, std::string_view tag) {
  auto text = json::as_utf8(element(document, tag));
  // Again: U+FFFD is longer than what it replaces.
  text.resize(utf8::whole_characters(text, longest_element).size());
  return text;
}

}  // namespace inferwire::inline v0_1::wire
