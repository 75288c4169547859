#include "auth/settings/ini.hpp"

#include "auth/program/command_line.hpp"
#include "base/ascii.hpp"
#include "json/scanner.hpp"
#include "json/text.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

namespace inferwire::inline v0_1::auth {

namespace {

bool is_comment(std::string_view text) { return text.starts_with('#') || text.starts_with(';'); }

/// A value without its quotes or a trailing comment.
std::string_view plain(std::string_view value) {
  if (value.starts_with('"') || value.starts_with('\'')) {
    const auto end = value.find(value.front(), 1);
    if (end != value.npos) {
      const auto rest = json::trim(value.substr(end + 1));
      if (rest.empty() || is_comment(rest)) return value.substr(1, end - 1);
    }
  }
  if (is_comment(value)) return {};
  for (std::size_t i = 1; i < value.size(); ++i) {
    const bool behind_space = ascii::is_blank(value[i - 1]);
    if (behind_space && is_comment(value.substr(i))) return json::trim(value.substr(0, i));
  }
  return value;
}

class Reader {
 public:
  Result<void> read(std::string_view raw) {
    ++line_;
    const auto text = json::trim(raw);
    if (text.empty() || is_comment(text)) return {};
    if (text.starts_with('[')) return open(text);
    const bool indented = raw.starts_with(' ') || raw.starts_with('\t');
    if (indented && below_empty_key_) return {};
    const auto mark = text.find_first_of("=:");
    if (mark == text.npos || mark == 0) {
      if (!indented || !below_key_) return wrong("is neither a [section] nor key = value");
      continue_value(text);
      return {};
    }
    const auto written = json::trim(text.substr(mark + 1));
    const auto value = plain(written);
    section().values.push_back(
        {std::string(json::trim(text.substr(0, mark))), std::string(value), std::string(written)});
    below_key_ = true;
    below_empty_key_ = value.empty();
    return {};
  }

  std::vector<IniSection> take() { return std::move(sections_); }

 private:
  Result<void> open(std::string_view text) {
    const auto end = text.find(']');
    if (end == text.npos) return wrong("opens a section and does not close it");
    name_ = json::trim(text.substr(1, end - 1));
    below_key_ = false;
    below_empty_key_ = false;
    section();
    return {};
  }

  void continue_value(std::string_view text) {
    auto& value = section().values.back();
    (value.text += '\n') += text;
    (value.as_written += '\n') += text;
  }

  IniSection& section() {
    const auto [place, is_new] = places_.try_emplace(name_, sections_.size());
    return is_new ? sections_.emplace_back(IniSection{name_, {}}) : sections_[place->second];
  }

  Error wrong(const char* what) const {
    return {.kind = ErrorKind::config, .detail = "line " + std::to_string(line_) + " " + what};
  }

  std::vector<IniSection> sections_{};
  std::map<std::string, std::size_t> places_{};  // the indices of sections, by name
  std::string name_{"DEFAULT"};
  bool below_key_{};  ///< the section has a key that an indented line continues
  bool below_empty_key_{};
  int line_{};
};

}  // namespace

const IniSection::Value* IniSection::last(std::string_view key) const {
  const auto found = std::find_if(values.rbegin(), values.rend(), [key](const Value& value) {
    return ascii::equal_ignoring_case(value.key, key);
  });
  return found == values.rend() ? nullptr : &*found;
}

std::string_view IniSection::find(std::string_view key) const {
  const auto* const value = last(key);
  return value == nullptr ? std::string_view() : value->text;
}

std::string_view IniSection::find_as_written(std::string_view key) const {
  const auto* const value = last(key);
  return value == nullptr ? std::string_view() : value->as_written;
}

Result<std::vector<IniSection>> parse_ini(std::string_view text) {
  text = json::without_byte_order_mark(text);
  Reader reader;
  while (!text.empty()) {
    if (auto read = reader.read(ascii::take_until(text, "\n")); !read) return std::move(read).error();
  }
  return reader.take();
}

const IniSection* find_section(const std::vector<IniSection>& sections, std::string_view name) {
  const auto found = std::ranges::find(sections, name, &IniSection::name);
  return found == sections.end() ? nullptr : &*found;
}

const IniSection* find_section(const std::vector<IniSection>& sections, std::string_view kind,
                               std::string_view name) {
  const auto* plainly = find_section(sections, std::string(kind) + " " + std::string(name));
  if (plainly != nullptr) return plainly;
  for (const auto& section : sections) {
    const auto words = split_command(section.name);
    if (words && words->size() == 2 && words->front() == kind && words->back() == name) return &section;
  }
  return nullptr;
}

}  // namespace inferwire::inline v0_1::auth
