/// \file
/// The models of a service; on Databricks, its serving endpoints.
#pragma once

#include "inferwire/from_json.hpp"
#include "inferwire/json.hpp"
#include "inferwire/open_enum.hpp"
#include "inferwire/optional.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1 {

namespace models {

/// The words of Task.
struct TaskWords {
  static constexpr std::string_view chat = "llm/v1/chat";
  static constexpr std::string_view completions = "llm/v1/completions";
  static constexpr std::string_view embeddings = "llm/v1/embeddings";
  /// An agent with the interface of chat completions, which calls its tools itself: see docs/tools.md.
  static constexpr std::string_view agent_chat = "agent/v2/chat";
  /// An agent with the interface of the Responses API.
  static constexpr std::string_view agent_responses = "agent/v1/responses";
};
/// What a serving endpoint does.
using Task = OpenEnum<TaskWords>;

/// A model, or a serving endpoint of Databricks. Anything else that a service reports is in `extra`.
struct Model {
  std::string id{};      ///< OpenAI: the name for requests; Databricks: not usable in requests, use `name`
  std::string object{};  ///< "model"; Databricks sends none
  Optional<std::int64_t> created{};  ///< Unix time in seconds; OpenAI
  std::string owned_by{};            ///< OpenAI
  /// OpenAI: the day on which the model ends ("2026-12-11"); absent if none is announced.
  Optional<std::string> shutdown_date{};
  /// Databricks: the endpoint's name, for requests; elsewhere a name to be read by people.
  std::string name{};
  Optional<Task> task{};                            ///< Databricks; absent for endpoints of classic models
  std::string creator{};                            ///< Databricks
  Optional<std::int64_t> creation_timestamp{};      ///< Databricks: Unix time in milliseconds
  Optional<std::int64_t> last_updated_timestamp{};  ///< Databricks: Unix time in milliseconds
  Optional<Json> state{};                           ///< Databricks: whether it is ready
  Optional<Json> config{};                          ///< Databricks: the served entities
  Extra extra{};

  /// The value for `model` in requests: the name of an endpoint of Databricks, else the id.
  INFERWIRE_API const std::string& request_name() const noexcept INFERWIRE_LIFETIMEBOUND;

  INFERWIRE_API friend bool operator==(const Model&, const Model&);
};

/// All models, or serving endpoints.
struct List {
  std::string object{};       ///< "list"; Databricks sends none
  std::vector<Model> data{};  ///< `endpoints` in the answers of Databricks
  Extra extra{};

  INFERWIRE_API friend bool operator==(const List&, const List&);
};

/// The JSON document, for logs and files. Errors: invalid_request, with the path.
INFERWIRE_API Result<Json> to_json(const Model& model);
INFERWIRE_API Result<Json> to_json(const List& list);

}  // namespace models

using models::to_json;  // so that it may be qualified like `from_json`

/// The inverse of `models::to_json`.
template <>
INFERWIRE_API Result<models::Model> from_json(const Json& document);
template <>
INFERWIRE_API Result<models::List> from_json(const Json& document);

}  // namespace inferwire::inline v0_1
