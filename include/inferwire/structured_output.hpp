/// \file
/// Answers as a struct of your program:
///
///     request.response_format = chat::format_of<River>();
///     const auto reply = client.chat.create(request);
///     if (!reply) return report(reply.error());
///     const Result<River> river = parse<River>(*reply);
///
/// How a struct is described is in inferwire/description.hpp.
#pragma once

#include "inferwire/chat.hpp"
#include "inferwire/responses.hpp"
#include "inferwire/schema.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1 {

namespace chat {

/// The format of answers that match `schema`. `name`: letters, digits, "_" and "-", at most 64.
INFERWIRE_API ResponseFormat format_of(std::string name, Json schema, bool strict = true);
/// The format of answers that are a `T`, with the name in its description; strict unless it contains a Json,
/// which no schema can describe.
template <Described T>
ResponseFormat format_of() {
  return format_of(name_of<T>(), schema_of<T>(),
                   inferwire::detail::is_closed(inferwire::detail::shape_of<T>));
}
/// Does not compile, and says what is missing.
template <class T>
  requires(!Described<T>)
ResponseFormat format_of() {
  static_assert(inferwire::detail::NeedsDescription<T>::met);
  return {};
}

/// The JSON document in the first choice of an answer, with or without a Markdown code fence around it.
/// Errors, with the answer's text as `body`: length if the answer was cut off at the token limit; truncated
/// if the server aborted it; content_filter; refusal, with the model's words as `detail`; schema if it is not
/// JSON.
INFERWIRE_API Result<Json> document_of(const Response& response);

}  // namespace chat

namespace responses {

/// Like chat::format_of, for `Request::text`.
INFERWIRE_API TextConfig format_of(std::string name, Json schema, bool strict = true);
template <Described T>
TextConfig format_of() {
  return format_of(name_of<T>(), schema_of<T>(),
                   inferwire::detail::is_closed(inferwire::detail::shape_of<T>));
}
/// Does not compile, and says what is missing.
template <class T>
  requires(!Described<T>)
TextConfig format_of() {
  static_assert(inferwire::detail::NeedsDescription<T>::met);
  return {};
}
/// Like chat::document_of, for the messages that are the answer, which excludes those with another `phase`
/// ("commentary"). If there are several, the last one that is a document is used, else their texts joined. A
/// failed response gives its error.
INFERWIRE_API Result<Json> document_of(const Response& response);

}  // namespace responses

namespace detail {

/// The type of `parse<T>`.
template <class T>
struct Parse {
  static_assert(NeedsDescription<T>::met);

  Result<T> operator()(const chat::Response& response) const { return read(chat::document_of(response)); }
  Result<T> operator()(const responses::Response& response) const {
    return read(responses::document_of(response));
  }

 private:
  static Result<T> read(Result<Json> document) {
    if (!document) return std::move(document).error();
    auto value = from_json<T>(*document);
    if (!value) value.error().body = std::move(*document).text();
    return value;
  }
};

}  // namespace detail

/// Completes a partial document, to show an answer while it arrives: open strings, lists and objects are
/// closed; a name without a value, and a number or word that may continue, are left out. null if there is
/// nothing to show yet. Everything after the first invalid byte is ignored. Each call reads all of `text`.
INFERWIRE_API Json beginning_of(std::string_view text);

/// Reads the answer of a chat::Response or responses::Response as a `T`: `parse<River>(*reply)`, or
/// `client.chat.create(request).and_then(parse<River>)`. Errors: those of `document_of` and `from_json`, with
/// the answer's text as `body`.
template <class T>
inline constexpr detail::Parse<T> parse{};

}  // namespace inferwire::inline v0_1
