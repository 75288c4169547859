#include "http/wire_log.hpp"

#include "base/ascii.hpp"
#include "base/controls.hpp"
#include "protocol/headers.hpp"
#include "protocol/redact.hpp"
#include "protocol/url.hpp"

#include <algorithm>
#include <string>

namespace inferwire::inline v0_1::http {

namespace {

/// Replaces user name and password of a URL by "***"; its authority begins at `begin` and ends before one of
/// `ends`.
void conceal_user(std::string& line, std::size_t begin, std::string_view ends) {
  const auto end = std::min(line.find_first_of(ends, begin), line.size());
  const auto at = line.rfind('@', end);
  if (at != line.npos && at >= begin && at < end) line.replace(begin, at - begin, protocol::concealed);
}

/// Conceals user names and passwords in URLs. libcurl repeats a proxy URL from the environment unchanged: it
/// may lack a scheme, and have a slash in its password.
void conceal_users(std::string& line) {
  constexpr std::string_view authority = "://";
  const bool of_proxy = line.find("proxy") != line.npos;
  const std::string_view ends = of_proxy ? "" : "/ \t";
  for (auto at = line.find(authority); at != line.npos; at = line.find(authority, at + authority.size())) {
    conceal_user(line, at + authority.size(), ends);
  }
  const auto quote = line.find('\'');
  if (of_proxy && quote != line.npos && line.find(authority) == line.npos)
    conceal_user(line, quote + 1, ends);
}

/// Conceals the keys of the request, and its query: libcurl repeats both in its messages about HTTP/2.
std::string without_secrets(std::string_view text, const HttpRequest& request) {
  std::string line(text);
  const auto target = protocol::split_url(request.url);
  protocol::conceal(line, target.query);
  // A request that fetches credentials may have its secret in the path.
  if (request.confidential) protocol::conceal(line, target.path);
  for (const auto& [name, value] : request.headers) {
    if (protocol::is_secret_header(name)) protocol::conceal_value(line, value);
  }
  conceal_users(line);
  return line;
}

/// A line of a request or response head, without secrets.
std::string shown_line(std::string_view line) {
  // It continues the value of the previous line.
  if (line.starts_with(' ') || line.starts_with('\t')) return " " + std::string(protocol::concealed);
  const auto colon = line.find(':');
  const auto space = line.find(' ');
  // In "POST /v1?key=... HTTP/1.1" a space comes first.
  const bool is_header = colon != line.npos && colon < space;
  if (is_header && !protocol::is_harmless_header(line.substr(0, colon), {})) {
    return std::string(line.substr(0, colon)).append(": ").append(protocol::concealed);
  }
  return std::string(line);
}

/// A message without secrets: for HTTP/2 libcurl writes each request header as "[name: value]".
std::string shown_remark(std::string_view line) {
  constexpr std::string_view colon = ": ";
  for (auto at = line.find('['); at != line.npos; at = line.find('[', at + 1)) {
    const auto end = line.find(colon, at);
    if (end == line.npos) break;
    const auto name = line.substr(at + 1, end - at - 1);
    if (!protocol::is_token(name)) continue;
    if (protocol::is_harmless_header(name, {})) break;
    return std::string(line.substr(0, end + colon.size())).append(protocol::concealed).append("]");
  }
  return std::string(line);
}

}  // namespace

void write_remark(Log& log, curl_infotype type, std::string_view text, const HttpRequest& request) {
  const char* mark = type == CURLINFO_TEXT         ? "curl * "
                     : type == CURLINFO_HEADER_IN  ? "curl < "
                     : type == CURLINFO_HEADER_OUT ? "curl > "
                                                   : nullptr;
  if (mark == nullptr) return;
  while (!text.empty()) {
    auto line = ascii::take_until(text, "\n");
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const auto shown = type == CURLINFO_TEXT ? shown_remark(line) : shown_line(line);
    log.write(LogLevel::debug, mark + utf8::one_line(without_secrets(shown, request)));
  }
}

}  // namespace inferwire::inline v0_1::http
