/// \file
/// Embeddings: texts in, rows of floats out.
///
/// The conventions are those of chat.hpp: names as in the JSON documents, `Optional` for what may be absent,
/// `extra` for everything else, and nothing is sent that was not set, except `encoding_format` if the
/// provider's row says that base64 is accepted.
#pragma once

#include "inferwire/dictionary.hpp"
#include "inferwire/from_json.hpp"
#include "inferwire/json.hpp"
#include "inferwire/open_enum.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/text_or_list.hpp"
#include "inferwire/usage.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1 {

namespace embeddings {

/// What to embed: one or more texts, or their token ids (OpenAI, vLLM).
using Input = TextOrList<std::string, std::vector<std::int64_t>, std::vector<std::vector<std::int64_t>>>;

/// The words of EncodingFormat.
struct EncodingFormatWords {
  static constexpr std::string_view floats = "float";   ///< a list of numbers; the services' default
  static constexpr std::string_view base64 = "base64";  ///< the bytes of 32-bit floats, little-endian
};
/// How rows are encoded. Both are read, whichever was requested. Other words are sent unchanged, for servers
/// that answer with lists of integers; "base64_int8" and the like, which cannot be read, are
/// Error{invalid_request}.
using EncodingFormat = OpenEnum<EncodingFormatWords>;

/// An embedding request.
struct Request {
  /// The model; on Databricks the serving endpoint's name.
  std::string model{};
  /// Required. OpenAI: at most 2,048 inputs.
  Input input{};
  /// Databricks: an instruction put before each text, as the model's authors recommend for queries.
  Optional<std::string> instruction{};
  /// Floats per row, 1 or more, for models that can return fewer than they have. OpenAI.
  Optional<std::int64_t> dimensions{};
  /// Absent: base64 if the provider's row says that it is accepted, and `extra` has no "output_dtype"
  /// (Voyage, Mistral) other than "float", "embed_dtype" (vLLM) other than "float32" or "endianness" (vLLM)
  /// "big"; else the service's default. base64 with one of these is Error{invalid_request}: what it holds
  /// cannot be told.
  Optional<EncodingFormat> encoding_format{};
  Optional<std::string> user{};               ///< OpenAI
  Optional<std::string> client_request_id{};  ///< Databricks: recorded in the inference table
  Dictionary<std::string> usage_context{};    ///< Databricks: recorded in the usage table
  /// Parameters that this struct does not name.
  Extra extra{};

  /// The number of inputs.
  INFERWIRE_API std::size_t inputs() const noexcept;

  INFERWIRE_API friend bool operator==(const Request&, const Request&);
};

/// The embedding of one input.
struct Embedding {
  std::string object{};            ///< "embedding"
  std::int64_t index{};            ///< the index of the input, from 0
  std::vector<float> embedding{};  ///< [dimensions], one float per dimension
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Embedding&, const Embedding&);
};

/// The answer: one row for every input.
struct Response {
  std::string id{};               ///< OpenAI sends none
  std::string object{};           ///< "list"
  std::string model{};            ///< the model version that answered
  std::vector<Embedding> data{};  ///< in the order of the inputs: `data[i]` is for input i
  Optional<Usage> usage{};        ///< prompt and total tokens only
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Response&, const Response&);
};

/// The JSON document, for logs and files; rows are written as numbers. Errors: invalid_request, with the
/// path, as when it is sent.
INFERWIRE_API Result<Json> to_json(const Request& request);
INFERWIRE_API Result<Json> to_json(const Response& response);

}  // namespace embeddings

using embeddings::to_json;  // so that it may be qualified like `from_json`

/// The inverse of `embeddings::to_json`.
template <>
INFERWIRE_API Result<embeddings::Request> from_json(const Json& document);
template <>
INFERWIRE_API Result<embeddings::Response> from_json(const Json& document);

}  // namespace inferwire::inline v0_1
