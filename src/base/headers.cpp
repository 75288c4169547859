#include "inferwire/headers.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace inferwire::inline v0_1 {

Headers::Headers(std::initializer_list<Header> headers) {
  for (const auto& header : headers) add(header.name, header.value);
}

Headers::Headers(const std::vector<Header>& headers) {
  for (const auto& header : headers) add(header.name, header.value);
}

void Headers::add(std::string_view name, std::string_view value) {
  text_ += name;
  const auto name_end = static_cast<std::uint32_t>(text_.size());
  text_ += value;
  places_.push_back({name_end, name_end, static_cast<std::uint32_t>(text_.size())});
}

bool Headers::add_line(std::string_view line) {
  line = ascii::trim(line);
  const auto colon = line.find(':');
  if (colon == line.npos) return false;
  auto name_end = colon;
  while (name_end != 0 && ascii::is_blank(line[name_end - 1])) --name_end;
  if (name_end == 0) return false;
  auto value_begin = colon + 1;
  while (value_begin != line.size() && ascii::is_blank(line[value_begin])) ++value_begin;
  const auto begin = text_.size();
  text_ += line;
  const auto place = [&](std::size_t in_line) { return static_cast<std::uint32_t>(begin + in_line); };
  places_.push_back({place(name_end), place(value_begin), place(line.size())});
  return true;
}

void Headers::append(std::string_view more) {
  text_ += more;
  places_.back().end = static_cast<std::uint32_t>(text_.size());
}

void Headers::clear() noexcept {
  text_.clear();
  places_.clear();
}

Headers::Item Headers::operator[](std::size_t index) const noexcept {
  const std::string_view text = text_;
  const auto begin = index == 0 ? 0 : places_[index - 1].end;
  const auto [name_end, value_begin, end] = places_[index];
  return {text.substr(begin, name_end - begin), text.substr(value_begin, end - value_begin)};
}

Optional<std::string_view> Headers::find(std::string_view name) const {
  const std::string_view text = text_;
  std::size_t begin = 0;
  for (const auto& [name_end, value_begin, end] : places_) {
    // A response has many headers, most of which differ in length already.
    if (name_end - begin == name.size() &&
        ascii::equal_ignoring_case(text.substr(begin, name.size()), name)) {
      return text.substr(value_begin, end - value_begin);
    }
    begin = end;
  }
  return std::nullopt;
}

bool operator==(const Headers& a, const Headers& b) { return std::ranges::equal(a, b); }

Optional<std::string_view> find_header(const std::vector<Header>& headers, std::string_view name) {
  for (const auto& header : headers) {
    if (ascii::equal_ignoring_case(header.name, name)) return header.value;
  }
  return std::nullopt;
}

}  // namespace inferwire::inline v0_1
