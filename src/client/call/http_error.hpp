/// \file
/// From what a server answered to an Error that a program can act on.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "inferwire/error.hpp"
#include "inferwire/response_info.hpp"
#include "inferwire/transport.hpp"
#include "wire/error_body.hpp"

namespace inferwire::inline v0_1::client {

constexpr bool is_success(int status) noexcept { return status >= 200 && status <= 299; }

/// How much of an answer an error keeps.
inline constexpr std::size_t kept_body_bytes = 64u << 10;

/// The error of an answer whose status is not 2xx, of however much of its body came.
Error http_error(const ResponseHead& head, std::string_view body, std::chrono::system_clock::time_point now);

/// The error that an answer with a good status holds instead of what was asked for. Its `status` is the
/// answer's; kind and retryable follow the code inside, and what the head asks for.
Error embedded_error(const ResponseHead& head, wire::ErrorFacts facts,
                     std::chrono::system_clock::time_point now = std::chrono::system_clock::now());

/// The error of an exception in an AWS event stream: `type` names it, `body` is its JSON or its text.
Error exception_error(const ResponseHead& head, std::string_view type, std::string_view body);

/// The error of an answer that is wrong in itself.
Error error_about(const ResponseHead& head, ErrorKind kind, std::string detail);

/// The error of a page of HTML where an answer was expected; names the likely cause.
Error html_page_error(const ResponseHead& head, std::string_view body);

/// Whether a document in an answer without a known length breaks off: it ended where the connection did. Or
/// it came over HTTP/2, of which libcurl before 8.0 takes a stream that was reset for one that has ended.
bool is_cut(const ResponseHead& head, std::string_view document) noexcept;
/// The error of one, with which the decoder had this `problem`.
Error cut_document(const Error& problem);

/// The server's id of a request, and the header that gave it; both empty when there is none.
struct RequestId {
  std::string_view id{};
  std::string_view header{};
};
/// The first of the headers that providers use for it.
RequestId request_id(const ResponseHead& head);
void take_request_id(Error& error, const ResponseHead& head);

/// Adds what an answer's head says of an error that it came with: the status, the request's id, and why the
/// body could not be read if that is an encoding.
void take_head(Error& error, const ResponseHead& head);
/// Writes down what is known of the answer: the head itself and the request's id.
void take_head(ResponseInfo& info, const ResponseHead& head);

}  // namespace inferwire::inline v0_1::client
