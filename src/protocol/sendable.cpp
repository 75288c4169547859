#include "protocol/sendable.hpp"

#include "protocol/headers.hpp"
#include "protocol/url.hpp"

#include <utility>

namespace inferwire::inline v0_1::protocol {

Result<void> check_method(const HttpRequest& request) {
  if (!is_token(request.method)) {
    return Error{.kind = ErrorKind::invalid_request, .detail = "the request's method is not a token"};
  }
  // libcurl would wait for a body of the answer.
  if (request.method == "HEAD" && !request.body.empty()) {
    return Error{.kind = ErrorKind::invalid_request, .detail = "a HEAD request has no body"};
  }
  return {};
}

Result<void> check_sendable(const HttpRequest& request) {
  if (auto checked = check_method(request); !checked) return checked;
  if (auto checked = check_headers(request.headers); !checked) return checked;
  if (auto url = parse_url(request.url); !url) return std::move(url).error();
  return {};
}

}  // namespace inferwire::inline v0_1::protocol
