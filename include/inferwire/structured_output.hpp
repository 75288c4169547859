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
/// The format of answers that are a `T`, under the name of its description; strict unless it contains a Json,
/// which no schema describes.
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

/// The JSON document in the first choice of an answer, even between Markdown fences. Errors, whose `body` has
/// the answer's text: length if the answer was cut at its limit; truncated if the server broke it off;
/// content_filter; schema if it is a refusal, which the detail quotes, or is not JSON.
INFERWIRE_API Result<Json> document_of(const Response& response);

}  // namespace chat

namespace responses {

/// Does what chat::format_of does, for `Request::text`.
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
/// Does what chat::document_of does, for the messages that answer: not for those whose `phase` says otherwise
/// ("commentary"). If there are several, the last one that is a document counts, else their texts together. A
/// response that failed gives its error.
INFERWIRE_API Result<Json> document_of(const Response& response);

}  // namespace responses

namespace detail {

/// What `parse<T>` is.
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
/// closed; a name without its value, and a number or word that may go on, are left out. null while there is
/// nothing to show; everything after the first invalid byte is ignored. Reads all of `text` each time.
INFERWIRE_API Json beginning_of(std::string_view text);

/// A function that gives the answer of a chat::Response or a responses::Response as a `T`:
/// `parse<River>(*reply)`, or `client.chat.create(request).and_then(parse<River>)`. Errors: those of
/// `document_of` and `from_json`, with the answer's text as their `body`.
template <class T>
inline constexpr detail::Parse<T> parse{};

}  // namespace inferwire::inline v0_1
