#include "inferwire/transport.hpp"

#include <algorithm>

namespace inferwire::inline v0_1 {

Sink::~Sink() = default;
Exchange::~Exchange() = default;
Transport::~Transport() = default;

namespace {
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
}  // namespace

Optional<std::string_view> find_header(const std::vector<Header>& headers, std::string_view name) {
  for (const auto& header : headers) {
    if (std::ranges::equal(header.name, name, {}, lower, lower)) return header.value;
  }
  return std::nullopt;
}

}  // namespace inferwire::inline v0_1
