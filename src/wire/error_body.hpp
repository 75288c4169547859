/// \file
/// Reads errors in all dialects (OpenAI, Databricks, vLLM, LMI, SageMaker, AI21, SCIM, MiniMax, Hugging Face,
/// proxies).
#pragma once

#include "inferwire/json.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::wire {

/// The facts of an error body. Members that the body does not give are empty or 0.
struct ErrorFacts {
  std::string message{};
  std::string code{};  ///< numbers are printed: "424"
  std::string type{};
  std::string param{};          ///< the parameter at fault
  std::string original_code{};  ///< the code given by the model behind the server, or Google's reason
  /// The status of the container behind SageMaker; 0: it did not answer in time.
  std::optional<int> original_status{};
  std::string request_id{};  ///< set if the body gives it (google.rpc.RequestInfo, request_id)
  std::optional<std::chrono::milliseconds> retry_delay{};  ///< google.rpc.RetryInfo
  bool is_object{};                                        ///< the body is a JSON object
};

/// How much of an error body is read: much reading for each of its bytes would hold up other calls.
inline constexpr std::size_t most_error_bytes = std::size_t{1} << 20U;

/// Reads an error body, or the members that begin in its first `most_error_bytes`. Never fails, for any
/// bytes. The message falls back to the text, then to the title of an HTML page, then to `reason_phrase`; it
/// is at most 4 KiB long and UTF-8.
ErrorFacts read_error_body(std::string_view body, std::string_view reason_phrase);

/// `error_in` for a document that has unknown members.
std::optional<ErrorFacts> error_in_members(const Extra& unknown_members, bool answers);

/// The error that a decoded document holds instead of an answer: a non-empty `error`, at the top or in
/// `x_groq`; or, unless the document `answers`, a non-empty `error_code`, a `base_resp` with a non-zero
/// `status_code`, `details` with the `finish_reason` "error", the flat form of older servers (a text as
/// `message` with a `code`, a `type` that names an error, or the `object` "error"), or nothing but a report
/// of a failure (`success` false with a text, or a text as `msg` with an HTTP error status). std::nullopt for
/// an ordinary document; `"error": null` is ordinary. Costs nothing if there are no unknown members.
inline std::optional<ErrorFacts> error_in(const Extra& unknown_members, bool answers = false) {
  return unknown_members.empty() ? std::nullopt : error_in_members(unknown_members, answers);
}

/// `error_in` for the text of a document.
std::optional<ErrorFacts> error_in_document(std::string_view text);
/// `error_in_document` for the answer to a raw request: a report of a failure, which the program may have
/// asked for, is none.
std::optional<ErrorFacts> error_in_raw(std::string_view text);
/// Finds the error in text that could not be decoded as an answer: a text as `msg` with a number as `code` is
/// one, except for a status of success.
std::optional<ErrorFacts> error_in_unread(std::string_view text);

}  // namespace inferwire::inline v0_1::wire
