/// \file
/// The types of whole documents: json::decode, json::encode and wire::encoded can be called with them.
#pragma once

#include "inferwire/chat.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/models.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "json/codec.hpp"

#include <vector>

namespace inferwire::inline v0_1::json {

extern template const Type& describe<chat::Request>();
extern template const Type& describe<chat::Response>();
extern template const Type& describe<chat::Chunk>();
extern template const Type& describe<chat::Message>();
extern template const Type& describe<completions::Request>();
extern template const Type& describe<completions::Response>();
extern template const Type& describe<completions::Chunk>();
extern template const Type& describe<embeddings::Request>();
extern template const Type& describe<embeddings::Response>();
extern template const Type& describe<models::Model>();
extern template const Type& describe<models::List>();
extern template const Type& describe<responses::Item>();
extern template const Type& describe<responses::Request>();
extern template const Type& describe<responses::Response>();
extern template const Type& describe<responses::List>();
extern template const Type& describe<responses::Deletion>();
extern template const Type& describe<Usage>();

/// An event is not a variant, and is described by hand.
template <>
const Type& describe<responses::Event>();

// Lists of documents: conversations.
extern template const Type& describe<std::vector<chat::Message>>();
extern template const Type& describe<std::vector<responses::Item>>();

// Parts of documents, for code that needs their members.
extern template const Type& describe<chat::Choice>();
extern template const Type& describe<chat::Delta>();
extern template const Type& describe<chat::ToolCall>();
extern template const Type& describe<completions::Choice>();
extern template const Type& describe<embeddings::Input>();

}  // namespace inferwire::inline v0_1::json

namespace inferwire::inline v0_1::wire {

/// Encodes a document as JSON.
template <class T>
Result<Json> encoded(const T& document) {
  return json::encode(document).transform(&Json::raw);
}

}  // namespace inferwire::inline v0_1::wire

/// Defines the from_json of a document: strict for one that programs write, tolerant for an answer.
#define INFERWIRE_FROM_JSON(Document, reading)                              \
  template <>                                                               \
  Result<Document> from_json(const Json& document) {                        \
    return json::decode<Document>(document.text(), json::Reading::reading); \
  }
