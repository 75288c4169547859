/// \file
/// Converts a server's answer into an Error that a program can act on.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/response_info.hpp"
#include "inferwire/transport.hpp"
#include "wire/error_body.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::client {

constexpr bool is_success(int status) noexcept { return status >= 200 && status <= 299; }

/// Whether no answer with this status has a body.
constexpr bool has_no_body(int status) noexcept { return status == 204 || status == 205; }

/// The error of an answer whose status is not 2xx, from as much of its body as was received.
[[gnu::cold]] Error http_error(const ResponseHead& head, std::string_view body,
                               std::chrono::system_clock::time_point now = std::chrono::system_clock::now());

/// The error that was found in `body`, of an answer with a success status. Its `status` is the answer's; kind
/// and retryable follow from the code inside and from the head.
[[gnu::cold]] Error embedded_error(const ResponseHead& head, wire::ErrorFacts facts, std::string_view body);

/// Applies the instructions for retries in the answer's head: x-should-retry and Retry-After.
void take_wishes(Error& error, const ResponseHead& head,
                 std::chrono::system_clock::time_point now = std::chrono::system_clock::now());

/// The error of an exception in an AWS event stream: `type` is its name, `body` its JSON or text.
[[gnu::cold]] Error exception_error(const ResponseHead& head, std::string_view type, std::string_view body);

/// The error of an invalid answer.
[[gnu::cold]] Error error_about(const ResponseHead& head, ErrorKind kind, std::string detail);

/// The error of an HTML page or an XML document in place of an answer; names the likely cause.
[[gnu::cold]] Error page_error(const ResponseHead& head, std::string_view body);

/// Keeps in the error what was received, at most 64 KiB.
void keep_body(Error& error, std::string_view body);

/// Whether a body or an event is text that was not meant to be JSON, such as a proxy's remark.
bool is_plain_text(std::string_view text);
/// Appends `before` and the first 80 characters of a text that is no answer. Nothing is appended of binary
/// data, nor of what looks like JSON, which may hold a part of an answer. Nothing may be appended after it:
/// of a key that is cut off, only a beginning at the end of a text is concealed.
void quote(Error& error, std::string_view before, std::string_view text);

/// The error of a document that could not be decoded, with the decoder's `problem`: it may also be cut off,
/// or no JSON at all.
Error unread_document(const ResponseHead& head, std::string_view body, Error problem);

/// The server's id of a request, and the header that it came in; both empty if there is none.
struct RequestId {
  std::string_view id{};
  std::string_view header{};
};
/// The id from the first of the headers that providers use for it.
RequestId request_id(const ResponseHead& head);

/// How the body is encoded, which this client cannot read; empty: it is not.
std::string_view content_encoding(const ResponseHead& head) noexcept;
/// Adds facts from the answer's head to an error: the status, the request id, and, if the body has an
/// unsupported encoding, that this is why it could not be read.
void add_head_facts(Error& error, const ResponseHead& head);
/// Records facts about the answer: the head itself and the request id.
void add_head_facts(ResponseInfo& info, const ResponseHead& head);

}  // namespace inferwire::inline v0_1::client
