#include "http/header_list.hpp"

#include "base/ascii.hpp"

#include <cstddef>
#include <string_view>

namespace inferwire::inline v0_1::http {

namespace {

/// libcurl sends "Expect: 100-continue" for a body of a megabyte or more.
bool is_long(std::size_t body_bytes) noexcept { return body_bytes >= 500'000; }

}  // namespace

void HeaderList::assign(const std::vector<Header>& headers, std::size_t body_bytes) {
  // "Name:" removes a header that libcurl would add: waiting for 100 Continue would cost up to a second, and
  // the form content type or "Accept: */*" were not requested by the caller. Each removal costs every request
  // a little.
  constexpr std::size_t dropped = sizeof("Accept:") + sizeof("Content-Type:") + sizeof("Expect:");
  constexpr std::size_t around_each = 3;
  std::size_t bytes = dropped;
  for (const auto& [name, value] : headers) bytes += name.size() + value.size() + around_each;
  is_complete_ = false;
  has_long_body_ = is_long(body_bytes);
  text_.clear();
  text_.reserve(bytes);
  nodes_.clear();
  const auto add = [this](std::string_view name, std::string_view end, std::string_view value) {
    (((text_ += name) += end) += value) += '\0';
    nodes_.push_back({});
  };
  const auto drop = [&](std::string_view name) {
    if (!find_header(headers, name)) add(name, ":", {});
  };
  drop("Accept");
  drop("Content-Type");
  if (has_long_body_) drop("Expect");
  for (const auto& [name, value] : headers) {
    // An empty value is written "Name;" (CURLOPT_HTTPHEADER), since "Name:" means something else; libcurl
    // treats white space as empty.
    const auto shown = ascii::trim(value);
    add(name, shown.empty() ? ";" : ": ", shown);
  }
  char* line = text_.data();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].data = line;
    nodes_[i].next = i + 1 < nodes_.size() ? &nodes_[i + 1] : nullptr;
    line += std::string_view(line).size() + 1;
  }
  headers_ = headers;
  is_complete_ = true;
}

bool HeaderList::holds(const std::vector<Header>& headers, std::size_t body_bytes) const {
  return is_complete_ && headers_ == headers && has_long_body_ == is_long(body_bytes);
}

void HeaderList::release() noexcept {
  is_complete_ = false;
  std::vector<Header>().swap(headers_);
  std::string().swap(text_);
  std::vector<curl_slist>().swap(nodes_);
}

}  // namespace inferwire::inline v0_1::http
