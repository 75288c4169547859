/// \file
/// Answers that are a struct of the program's own:
///
///     request.response_format = chat::format_of<River>();
///     const auto reply = client.chat.create(request);
///     if (!reply) return report(reply.error());
///     const Result<River> river = parse<River>(*reply);
///
/// How a struct is described is in inferwire/schema.hpp.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "inferwire/chat.hpp"
#include "inferwire/responses.hpp"
#include "inferwire/schema.hpp"

namespace inferwire::inline v0_1 {

namespace chat {

/// The format of answers that fit `schema`. `name`: letters, digits, "_" and "-", at most 64.
INFERWIRE_API ResponseFormat format_of(std::string name, Json schema, bool strict = true);
/// The format of answers that are a `T`, under the name of its description; strict unless it has a Json
/// somewhere, of which no schema says what it is.
template <Described T>
ResponseFormat format_of() {
  return format_of(name_of<T>(), schema_of<T>(),
                   inferwire::detail::is_closed(inferwire::detail::shape_of<T>));
}

/// The document that the first choice of an answer is, also where it stands between Markdown's fences.
/// Errors, which have what there is as their `body`: length where the answer was cut at its limit,
/// content_filter, schema where it is a refusal, which the detail tells, or no JSON.
INFERWIRE_API Result<Json> document_of(const Response& response);

}  // namespace chat

namespace responses {

/// As in `chat`, for `Request::text`.
INFERWIRE_API TextConfig format_of(std::string name, Json schema, bool strict = true);
template <Described T>
TextConfig format_of() {
  return format_of(name_of<T>(), schema_of<T>(),
                   inferwire::detail::is_closed(inferwire::detail::shape_of<T>));
}
/// As in `chat`, of the text of all output. A response that failed is the error that it tells.
INFERWIRE_API Result<Json> document_of(const Response& response);

}  // namespace responses

namespace detail {

template <class T, class Response>
Result<T> parse(const Response& response) {
  auto document = document_of(response);
  if (!document) return std::move(document).error();
  auto value = from_json<T>(*document);
  if (!value) value.error().body = std::move(*document).text();
  return value;
}

}  // namespace detail

/// What the beginning of a document says so far, to show an answer while it comes: strings, lists and objects
/// that are open are closed; a name without its value, and a number or word that may go on, are left out.
/// null while there is nothing to show; from where it cannot become JSON on, nothing is added. Reads all of
/// `text`.
INFERWIRE_API Json beginning_of(std::string_view text);

/// The answer as a `T`. Errors: as of `document_of` and `from_json`, with the answer's text as their `body`.
template <Described T>
Result<T> parse(const chat::Response& response) {
  return detail::parse<T>(response);
}
template <Described T>
Result<T> parse(const responses::Response& response) {
  return detail::parse<T>(response);
}

}  // namespace inferwire::inline v0_1
