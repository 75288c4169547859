/// \file
/// The types that are whole documents: what json::decode and json::encode can be called with.
#pragma once

#include <vector>

#include "inferwire/chat.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/models.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "json/codec.hpp"

namespace inferwire::inline v0_1::json {

template <>
const Type& describe<chat::Request>();
template <>
const Type& describe<chat::Response>();
template <>
const Type& describe<chat::Chunk>();
template <>
const Type& describe<chat::Message>();
template <>
const Type& describe<completions::Request>();
template <>
const Type& describe<completions::Response>();
template <>
const Type& describe<completions::Chunk>();
template <>
const Type& describe<embeddings::Request>();
template <>
const Type& describe<embeddings::Response>();
template <>
const Type& describe<models::Model>();
template <>
const Type& describe<models::List>();
template <>
const Type& describe<responses::Item>();
template <>
const Type& describe<responses::Request>();
template <>
const Type& describe<responses::Response>();
template <>
const Type& describe<responses::List>();
template <>
const Type& describe<responses::Deletion>();
template <>
const Type& describe<responses::Event>();
template <>
const Type& describe<Usage>();

// Lists of documents: conversations.
template <>
const Type& describe<std::vector<chat::Message>>();
template <>
const Type& describe<std::vector<responses::Item>>();

// Parts of documents, for those who need to know their members.
template <>
const Type& describe<chat::Choice>();
template <>
const Type& describe<chat::Delta>();
template <>
const Type& describe<chat::ToolCall>();
template <>
const Type& describe<completions::Choice>();
template <>
const Type& describe<embeddings::Input>();

}  // namespace inferwire::inline v0_1::json
