/// \file
/// Answers of embedding services, which have several forms.
#pragma once

#include "inferwire/embeddings.hpp"
#include "json/codec.hpp"

#include <cstddef>
#include <string_view>

namespace inferwire::inline v0_1::wire {

/// Decodes an answer, which is followed by `json::padding` readable bytes: the documented object, whose
/// `data` is a list or a single object, or LMI's bare list of rows or single row. The rows are sorted by
/// index. Errors: decode, also for an index that is missing or occurs twice.
bool decode_embeddings(json::Decoder& decoder, std::string_view padded_text, embeddings::Response& out,
                       Error& error);

/// Checks that there are exactly as many rows as `inputs`. Errors: decode.
bool check_rows(const embeddings::Response& answer, std::size_t inputs, Error& error);

}  // namespace inferwire::inline v0_1::wire
