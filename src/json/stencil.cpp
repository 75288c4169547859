#include "json/stencil.hpp"

#include "json/scanner.hpp"
#include "json/text.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace inferwire::inline v0_1::json {

namespace {

/// The inside of the string whose opening quote precedes `text`; nothing if it is not valid.
std::optional<std::string_view> string_inside(std::string_view text, bool& escaped) {
  const char* const end = text.data() + text.size();
  const char* at = text.data();
  bool ascii = true;
  for (;;) {
    const Run run = plain_run(at, end);
    at = run.end;
    ascii = ascii && run.ascii;
    if (at == end || static_cast<unsigned char>(*at) < ' ') return std::nullopt;
    if (*at == '"') break;
    escaped = true;
    if (end - at < 2) return std::nullopt;
    at += 2;
  }
  const std::string_view inside(text.data(), static_cast<std::size_t>(at - text.data()));
  if (!ascii && invalid_utf8(inside) != std::string_view::npos) return std::nullopt;
  return inside;
}

/// Writes the string to `out`; false for an escape that JSON does not have.
bool write(std::string_view inside, bool escaped, std::string& out) {
  if (!escaped) {
    out.assign(inside);
    return true;
  }
  out.clear();
  return append_unescaped(out, inside);
}

/// Reads an integer that is certain to fit from the front of `text`; returns its length, 0 if there is none.
std::size_t read_integer(std::string_view text, std::int64_t& out) {
  constexpr std::size_t most_digits = 18;
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  std::size_t at = sign;
  std::int64_t number = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    if (at - sign == most_digits) return 0;
    number = number * 10 + (text[at] - '0');
  }
  const bool leading_zero = at - sign > 1 && text[sign] == '0';
  if (at == sign || leading_zero) return 0;
  out = sign == 0 ? number : -number;
  return at;
}

}  // namespace

void Stencil::begin(std::string_view text) {
  text_.clear();
  holes_.clear();
  changing_.clear();
  source_ = text.data();
  if (text.size() <= most_bytes) text_ = text;
}

void Stencil::add(Kind kind, std::string_view value, void* member) {
  // Code elsewhere may depend on a member being empty: no hole becomes or was empty.
  if (text_.empty() || value.empty()) return;
  const auto begin = static_cast<std::uint16_t>(value.data() - source_);
  holes_.push_back({begin, static_cast<std::uint16_t>(begin + value.size()), kind, member});
}

/// Whether the value selects the alternative of a union, as that of a member `type` does.
bool Stencil::decides(const Hole& hole) const noexcept {
  std::string_view before = trim(std::string_view(text_).substr(0, hole.begin - (hole.kind == Kind::string)));
  if (before.ends_with(':')) before = trim(before.substr(0, before.size() - 1));
  return before.ends_with("\"type\"");
}

/// Finds the hole in which `text` first differs from the fixed text at `from`, and makes it a changing one
/// before the changing hole `next`.
bool Stencil::find_changing(std::size_t next, std::size_t from, std::string_view text) {
  const auto fixed = std::string_view(text_).substr(from);
  const auto same = std::mismatch(fixed.begin(), fixed.end(), text.begin(), text.end()).first - fixed.begin();
  const auto at = from + static_cast<std::size_t>(same);
  const auto hole = std::find_if(holes_.begin(), holes_.end(), [at](const Hole& h) { return at <= h.end; });
  if (hole == holes_.end() || at < hole->begin || hole->begin < from || decides(*hole)) return false;
  changing_.insert(changing_.begin() + static_cast<std::ptrdiff_t>(next), *hole);
  return true;
}

/// Fills the hole from the front of `text` and returns the length that was read; 0 if it does not fit.
std::size_t Stencil::fill(const Hole& hole, std::string_view text) {
  if (hole.kind == Kind::integer) return read_integer(text, *static_cast<std::int64_t*>(hole.member));
  auto& member = *static_cast<std::string*>(hole.member);
  bool escaped = false;
  if (hole.kind == Kind::raw_string) {
    const auto inside = text.starts_with('"') ? string_inside(text.substr(1), escaped) : std::nullopt;
    if (!inside || escaped) return 0;
    member.assign(text, 0, inside->size() + 2);
    return inside->size() + 2;
  }
  const auto inside = string_inside(text, escaped);
  return inside && write(*inside, escaped, member) ? inside->size() : 0;
}

bool Stencil::fill(std::string_view text) {
  if (text_.empty()) return false;
  std::size_t done = 0;
  for (std::size_t next = 0;;) {
    const bool last = next == changing_.size();
    const std::size_t fixed = (last ? text_.size() : changing_[next].begin) - done;
    if (text.size() < fixed || std::memcmp(text.data(), text_.data() + done, fixed) != 0) {
      if (!find_changing(next, done, text)) return false;
      continue;
    }
    text.remove_prefix(fixed);
    if (last) return text.empty();
    const Hole& hole = changing_[next++];
    const std::size_t taken = fill(hole, text);
    if (taken == 0) return false;
    text.remove_prefix(taken);
    done = hole.end;
  }
}

}  // namespace inferwire::inline v0_1::json
