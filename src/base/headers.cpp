#include "inferwire/headers.hpp"

#include "base/ascii.hpp"

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
  ends_.push_back({name_end, static_cast<std::uint32_t>(text_.size())});
}

void Headers::append(std::string_view more) {
  text_ += more;
  ends_.back().value = static_cast<std::uint32_t>(text_.size());
}

void Headers::clear() noexcept {
  text_.clear();
  ends_.clear();
}

Headers::Item Headers::operator[](std::size_t index) const noexcept {
  const std::string_view text = text_;
  const auto [name_end, value_end] = ends_[index];
  const auto begin = index == 0 ? 0 : ends_[index - 1].value;
  return {text.substr(begin, name_end - begin), text.substr(name_end, value_end - name_end)};
}

Optional<std::string_view> Headers::find(std::string_view name) const {
  const std::string_view text = text_;
  std::size_t begin = 0;
  for (const auto& [name_end, value_end] : ends_) {
    // A response has many headers, most of which differ in length already.
    if (name_end - begin == name.size() &&
        ascii::equal_ignoring_case(text.substr(begin, name.size()), name)) {
      return text.substr(name_end, value_end - name_end);
    }
    begin = value_end;
  }
  return std::nullopt;
}

bool operator==(const Headers&, const Headers&) = default;

Optional<std::string_view> find_header(const std::vector<Header>& headers, std::string_view name) {
  for (const auto& header : headers) {
    if (ascii::equal_ignoring_case(header.name, name)) return header.value;
  }
  return std::nullopt;
}

}  // namespace inferwire::inline v0_1
