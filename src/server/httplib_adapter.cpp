#include "server/httplib_adapter.hpp"

#include "base/ascii.hpp"
#include "base/decimal.hpp"
#include "protocol/headers.hpp"

#include <algorithm>

namespace inferwire::inline v0_1::server {
namespace {

/// Path and query of a target, before which a client may put scheme and host (RFC 9112, 3.2.2).
std::string_view without_host(std::string_view target) {
  if (!target.starts_with("http://") && !target.starts_with("https://")) return target;
  const auto path = target.find_first_of("/?", target.find("://") + 3);
  return path == target.npos ? "/" : target.substr(path);
}

/// Whether a list such as "upgrade, close" has `wanted`.
bool has_element(std::string_view list, std::string_view wanted) {
  while (!list.empty()) {
    if (ascii::equal_ignoring_case(ascii::trim(ascii::take_until(list, ",")), wanted)) return true;
  }
  return false;
}

/// The request without const: cpp-httplib's object is not const, only the handlers' reference is. It reads
/// the request again after the handlers, so that changes to it have an effect.
httplib::Request& mutable_request(const httplib::Request& from) {
  return const_cast<httplib::Request&>(from);
}

}  // namespace

HttpRequest to_ours(const httplib::Request& from, const std::string& base_url, std::string body) {
  HttpRequest request{.method = from.method, .url = base_url, .body = std::move(body)};
  request.url += without_host(from.target);
  for (const auto& [name, value] : from.headers) {
    // Debian's version adds the two ends of the connection to the headers of the request.
    if (name == "REMOTE_ADDR" || name == "REMOTE_PORT" || name == "LOCAL_ADDR" || name == "LOCAL_PORT")
      continue;
    request.headers.push_back({name, value});
  }
  return request;
}

bool knows_chunks(const httplib::Request& from) { return from.version != "HTTP/1.0"; }

bool says_close(const httplib::Request& from) {
  const auto [first, last] = from.headers.equal_range("Connection");
  return std::any_of(first, last, [](const auto& header) { return has_element(header.second, "close"); });
}

bool tells_end_of_body(const httplib::Request& from) {
  // "Content-Length : 5"
  const bool has_names =
      std::ranges::all_of(from.headers, [](const auto& header) { return protocol::is_token(header.first); });
  const auto lengths = from.get_header_value_count("Content-Length");
  const auto codings = from.get_header_value_count("Transfer-Encoding");
  if (!has_names || lengths + codings > 1) return false;
  if (codings == 1) return ascii::equal_ignoring_case(from.get_header_value("Transfer-Encoding"), "chunked");
  const auto length = from.get_header_value("Content-Length");
  return lengths == 0 || (!length.empty() && std::ranges::all_of(length, ascii::is_digit));
}

bool has_unreadable_body(const httplib::Request& from) {
  if (from.method == "PRI") return true;  // whatever its headers say
  const bool chunked = from.has_header("Transfer-Encoding");
  const auto length = from.get_header_value("Content-Length");
  if (!chunked && (length.empty() || length == "0")) return false;
  if (from.is_multipart_form_data()) return true;
  if (from.method == "DELETE") return chunked;
  return from.method != "POST" && from.method != "PUT" && from.method != "PATCH";
}

void say_close(const httplib::Request& from) {
  auto& headers = mutable_request(from).headers;
  headers.erase("Connection");
  headers.emplace("Connection", "close");
}

void say_that_nothing_is_left(const httplib::Request& from) {
  mutable_request(from).headers.emplace("Content-Length", "0");
}

void cap_length(const httplib::Request& from) {
  auto& length = mutable_request(from).headers.find("Content-Length")->second;
  if (!parse_integer<std::size_t>(length)) length = std::to_string(SIZE_MAX);
}

void ignore_range(const httplib::Request& from) { mutable_request(from).ranges.clear(); }

void ignore_path(const httplib::Request& from) { mutable_request(from).path = only_path; }

void ignore_codings(const httplib::Request& from) { mutable_request(from).headers.erase("Accept-Encoding"); }

std::string put_head(const ResponseHead& head, httplib::Response& to) {
  to.status = head.status;
  std::string type = "application/octet-stream";
  for (const auto& [name, value] : head.headers) {
    if (ascii::equal_ignoring_case(name, "content-type")) {
      type = value;
    } else if (!ascii::equal_ignoring_case(name, "content-length")) {
      to.set_header(std::string(name), std::string(value));
    }
  }
  return type;
}

void send_and_close(const SocketAddress& listening_at, const httplib::Request& from, Body received,
                    httplib::Response& to, const std::string& type, std::string body, EndMark end) {
  say_close(from);
  if (end == EndMark::length) to.set_header("Content-Length", std::to_string(body.size()));
  if (from.method == "HEAD") {
    body.clear();
    mutable_request(from).method = "GET";  // for HEAD cpp-httplib would not call `send`
  }
  auto send = [listening_at, received, client_port = from.remote_port, text = std::move(body)](
                  std::size_t, httplib::DataSink& sink) {
    if (!text.empty()) sink.write(text.data(), text.size());
    if (received == Body::cut) ClientConnection(listening_at, client_port).shut_down();
    return false;
  };
  if (end == EndMark::none && knows_chunks(from)) {
    to.set_chunked_content_provider(type, std::move(send));
  } else {
    to.set_content_provider(type, std::move(send));
  }
}

void refuse(const SocketAddress& listening_at, const httplib::Request& from, httplib::Response& to,
            std::string_view message) {
  send_and_close(listening_at, from, Body::cut, to, "application/json",
                 R"({"error":{"message":")" + std::string(message) +
                     R"(","type":"invalid_request_error","param":null,"code":null}})",
                 EndMark::length);
}

}  // namespace inferwire::inline v0_1::server
