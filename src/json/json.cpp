#include "inferwire/json.hpp"

#include "base/decimal.hpp"
#include "json/codec.hpp"
#include "json/edit.hpp"
#include "json/scanner.hpp"
#include "json/text.hpp"

#include <algorithm>
#include <cmath>

namespace inferwire::inline v0_1 {
namespace {

/// The first character that is not white space; 0 if there is none.
char first_of(std::string_view text) noexcept {
  for (const char c : text) {
    if (!json::is_space(c)) return c;
  }
  return 0;
}

/// Unescapes one step of an RFC 6901 pointer: `~1` is `/`, `~0` is `~`.
std::string unescape_step(std::string_view step) {
  std::string out;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const bool escaped = step[i] == '~' && i + 1 < step.size() && (step[i + 1] == '0' || step[i + 1] == '1');
    out += !escaped ? step[i] : step[++i] == '1' ? '/' : '~';
  }
  return out;
}

/// The member or element named by `step`; the last one if a name is repeated.
std::optional<std::string_view> child(std::string_view text, const std::string& step) {
  std::optional<std::string_view> found;
  json::Items items(text);
  const auto index = json::index_of(step);
  for (std::size_t i = 0; items.next(); ++i) {
    if (items.is_object()) {
      if (items.key() == step) found = items.value();
    } else if (index == i) {
      return items.value();
    }
  }
  return found;
}

/// Prints a number as JSON. Numbers that JSON cannot represent become invalid text; not "nan", which would
/// begin like null.
template <class T>
std::string number_text(T number) {
  return std::isfinite(number) ? print_decimal(number) : "NaN";
}

}  // namespace

Result<Json> Json::parse(std::string_view text) {
  if (auto checked = json::check(text); !checked) return std::move(checked).error();
  return Json(Trusted{}, std::string(json::trim(json::without_byte_order_mark(text))));
}

Json Json::string(std::string_view text) {
  Json out;
  out.text_.clear();
  out.text_.reserve(text.size() + 2);  // the text and its quotes
  json::append_string(out.text_, text);
  return out;
}

Json Json::number(double value) { return raw(number_text(value)); }
Json Json::number(float value) { return raw(number_text(value)); }

std::string Json::one_line() const {
  auto line = text_;
  std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return line;
}

bool Json::is_null() const noexcept { return first_of(text_) == 'n'; }
bool Json::is_bool() const noexcept { return first_of(text_) == 't' || first_of(text_) == 'f'; }
bool Json::is_number() const noexcept {
  const char c = first_of(text_);
  return c == '-' || (c >= '0' && c <= '9');
}
bool Json::is_string() const noexcept { return first_of(text_) == '"'; }
bool Json::is_array() const noexcept { return first_of(text_) == '['; }
bool Json::is_object() const noexcept { return first_of(text_) == '{'; }

Optional<Json> Json::find(std::string_view pointer) const {
  std::optional<std::string_view> value = json::trim(text_);
  if (!pointer.empty() && pointer.front() != '/') {
    value = child(*value, std::string(pointer));  // a name
  } else {
    while (value && !pointer.empty()) {
      pointer.remove_prefix(1);
      const auto step = pointer.substr(0, pointer.find('/'));
      value = child(*value, unescape_step(step));
      pointer.remove_prefix(step.size());
    }
  }
  if (!value) return std::nullopt;
  return Json(Trusted{}, std::string(*value));
}

Optional<bool> Json::as_bool() const {
  const std::string_view word = json::trim(text_);
  if (word == "true") return true;
  if (word == "false") return false;
  return std::nullopt;
}
Optional<std::int64_t> Json::as_int() const { return json::integer_of(text_); }
Optional<double> Json::as_double() const { return json::number_of(text_); }
Optional<std::string> Json::as_string() const { return json::string_of(text_); }

std::vector<Json> Json::items() const {
  std::vector<Json> out;
  json::Items items(text_);
  if (items.is_object()) return out;
  while (items.next()) out.push_back(Json(Trusted{}, std::string(items.value())));
  return out;
}

std::vector<Member> Json::members() const {
  std::vector<Member> out;
  json::Items items(text_);
  if (!items.is_object()) return out;
  while (items.next()) out.push_back({items.key(), Json(Trusted{}, std::string(items.value()))});
  return out;
}

bool operator==(const Member&, const Member&) = default;

const Json* Extra::find(std::string_view name) const noexcept {
  const auto found =
      std::find_if(members_.rbegin(), members_.rend(), [name](const Member& m) { return m.name == name; });
  return found == members_.rend() ? nullptr : &found->value;
}

Extra& Extra::operator=(const Extra& other) = default;
Extra::~Extra() = default;

Extra::Extra(std::initializer_list<Member> members) {
  for (const auto& member : members) set(member.name, member.value);
}

void Extra::set(std::string name, Json value) {
  const auto found =
      std::find_if(members_.rbegin(), members_.rend(), [&name](const Member& m) { return m.name == name; });
  if (found == members_.rend()) {
    append(std::move(name), std::move(value));
  } else {
    found->value = std::move(value);
  }
}

void Extra::erase(std::string_view name) {
  std::erase_if(members_, [name](const Member& m) { return m.name == name; });
}

void Extra::append(std::string name, Json value) { members_.push_back({std::move(name), std::move(value)}); }

bool Extra::same(const Extra& a, const Extra& b) { return a.members_ == b.members_; }

std::string Unknown::type() const {
  const auto type = json.find("/type");
  return type ? type->as_string().value_or(std::string()) : std::string();
}

bool operator==(const Unknown&, const Unknown&) = default;

template struct detail::Lifetime<Json>;

}  // namespace inferwire::inline v0_1
