/// \file
/// Answers of embedding services, which come in several shapes.
#pragma once

#include <cstddef>
#include <string_view>

#include "inferwire/embeddings.hpp"
#include "json/codec.hpp"

namespace inferwire::inline v0_1::wire {

/// Decodes an answer, `json::padding` bytes behind which are readable: the documented object, whose `data` is
/// a list or a single object, or LMI's bare list of rows or single row. The rows are put in the order of
/// their index. Errors: decode, also for an index that is missing or comes twice.
bool decode_embeddings(json::Decoder& decoder, std::string_view padded_text, embeddings::Response& out,
                       Error& error);

/// Whether every one of `inputs` has its row, and nothing else has one. Errors: decode.
bool check_rows(const embeddings::Response& answer, std::size_t inputs, Error& error);

}  // namespace inferwire::inline v0_1::wire
