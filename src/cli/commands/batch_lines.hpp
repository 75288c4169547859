/// \file
/// The lines of OpenAI's Batch API (https://platform.openai.com/docs/guides/batch).
#pragma once

#include "inferwire/batch.hpp"
#include "inferwire/provider.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::cli {

/// The request to `provider` for a line of the input: `{"custom_id": ..., "method": "POST", "url":
/// "/v1/chat/completions", "body": {...}}`. OpenAI's paths are replaced by those of the provider's row.
/// Errors: invalid_request.
Result<RawRequest> read_batch_line(std::string_view line, const Provider& provider);

/// The custom_id of a request's line; empty if there is none.
std::string custom_id_of(std::string_view line);

/// How the answers that this program writes begin.
inline constexpr std::string_view answer_begins = R"({"id":"batch_req_)";

/// The hash of a request's line. It is the end of the id of its answer, from which a later run sees whether
/// the request has changed.
std::uint64_t request_hash(std::string_view line) noexcept;

/// An answer of an earlier run.
struct EarlierAnswer {
  bool is_error{};
  std::optional<std::uint64_t> request{};  ///< the hash; absent if another program wrote the answer
};

/// A line of a file that may be one of answers.
struct AnswerLine {
  std::string custom_id{};  ///< empty if there is none
  bool is_answer{};         ///< otherwise `answer` is meaningless
  EarlierAnswer answer{};
};
AnswerLine read_batch_answer(std::string_view line);

/// A line of the output, with its end: `{"id": ..., "custom_id": ..., "response": {"status_code": ...,
/// "request_id": ..., "body": ...}, "error": null}`. If the client itself refused the request, or its answer,
/// `response` is null, and `error` has a code and a message.
/// The id holds the request's `number` and `hash`.
std::string batch_answer(std::size_t number, std::uint64_t hash, const std::string& custom_id,
                         const Result<RawResponse>& answer);

}  // namespace inferwire::inline v0_1::cli
