/// \file
/// Embeddings: texts in, rows of floats out.
///
/// The conventions are those of chat.hpp: wire names, `Optional` for what may be absent, `extra` for
/// everything else, and nothing is sent that was not set, except `encoding_format` if the provider's row
/// accepts base64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "inferwire/dictionary.hpp"
#include "inferwire/from_json.hpp"
#include "inferwire/json.hpp"
#include "inferwire/open_enum.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/text_or_list.hpp"
#include "inferwire/usage.hpp"

namespace inferwire::inline v0_1 {

namespace embeddings {

/// What to embed: a text or several, or the numbers of their tokens (OpenAI, vLLM).
using Input = TextOrList<std::string, std::vector<std::int64_t>, std::vector<std::vector<std::int64_t>>>;

/// The words of EncodingFormat.
struct EncodingFormatWords {
  static constexpr std::string_view floats = "float";   ///< a list of numbers; the services' default
  static constexpr std::string_view base64 = "base64";  ///< the bytes of 32-bit floats, little-endian
};
/// How rows are sent. Both are read, whatever was requested.
using EncodingFormat = OpenEnum<EncodingFormatWords>;

/// An embedding request.
struct Request {
  /// The model; on Databricks the serving endpoint's name.
  std::string model{};
  /// Required. OpenAI: at most 2,048 inputs.
  Input input{};
  /// Databricks: put before the texts, as the model's authors recommend for queries.
  Optional<std::string> instruction{};
  /// Floats per row, 1 and above, for models that can give fewer than they have. OpenAI.
  Optional<std::int64_t> dimensions{};
  /// Absent: base64 if the provider's row accepts it, else the service's default.
  Optional<EncodingFormat> encoding_format{};
  Optional<std::string> user{};               ///< OpenAI
  Optional<std::string> client_request_id{};  ///< Databricks: kept in the inference table
  Dictionary<std::string> usage_context{};    ///< Databricks: kept in the usage table
  /// Parameters that this struct does not name.
  Extra extra{};

  /// How many inputs there are.
  INFERWIRE_API std::size_t inputs() const noexcept;

  INFERWIRE_API friend bool operator==(const Request&, const Request&);
};

/// The embedding of one input.
struct Embedding {
  std::string object{};            ///< "embedding"
  std::int64_t index{};            ///< the number of the input, from 0
  std::vector<float> embedding{};  ///< one float for each dimension of the model
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Embedding&, const Embedding&);
};

/// The answer: one row for every input.
struct Response {
  std::string id{};               ///< OpenAI sends none
  std::string object{};           ///< "list"
  std::string model{};            ///< the version that answered
  std::vector<Embedding> data{};  ///< in the order of the inputs: `data[i]` is that of input i
  Optional<Usage> usage{};        ///< prompt and total only
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Response&, const Response&);
};

/// The document as it travels, for logs and files; rows are written as numbers. Errors: invalid_request, with
/// the path, as when it is sent.
INFERWIRE_API Result<Json> to_json(const Request& request);
INFERWIRE_API Result<Json> to_json(const Response& response);

}  // namespace embeddings

/// The inverse of `embeddings::to_json`.
template <>
INFERWIRE_API Result<embeddings::Request> from_json(const Json& document);
template <>
INFERWIRE_API Result<embeddings::Response> from_json(const Json& document);

}  // namespace inferwire::inline v0_1
