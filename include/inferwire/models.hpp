/// \file
/// What a service serves: models, on Databricks serving endpoints.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "inferwire/from_json.hpp"
#include "inferwire/json.hpp"
#include "inferwire/open_enum.hpp"
#include "inferwire/optional.hpp"

namespace inferwire::inline v0_1 {

namespace models {

/// The words of Task.
struct TaskWords {
  static constexpr std::string_view chat = "llm/v1/chat";
  static constexpr std::string_view completions = "llm/v1/completions";
  static constexpr std::string_view embeddings = "llm/v1/embeddings";
  /// An agent that speaks as chat completions do.
  static constexpr std::string_view agent_chat = "agent/v2/chat";
  /// An agent that speaks as the Responses API does.
  static constexpr std::string_view agent_responses = "agent/v1/responses";
};
/// What a serving endpoint does.
using Task = OpenEnum<TaskWords>;

/// A model, or a serving endpoint of Databricks. Whatever else a service reports is in `extra`.
struct Model {
  std::string id{};                  ///< OpenAI: what requests name; Databricks: of no use in requests
  std::string object{};              ///< "model"; Databricks sends none
  Optional<std::int64_t> created{};  ///< Unix time in seconds; OpenAI
  std::string owned_by{};            ///< OpenAI
  std::string name{};                ///< Databricks: the endpoint's name, which requests name
  Optional<Task> task{};             ///< Databricks; endpoints of classic models have none
  std::string creator{};             ///< Databricks
  Optional<std::int64_t> creation_timestamp{};      ///< Databricks: Unix time in milliseconds
  Optional<std::int64_t> last_updated_timestamp{};  ///< Unix time in milliseconds
  Optional<Json> state{};                           ///< Databricks: whether it is ready
  Optional<Json> config{};                          ///< Databricks: the served entities
  Extra extra{};

  /// What a request has to put into `model`: the endpoint's name if there is one, else the id.
  INFERWIRE_API const std::string& request_name() const noexcept INFERWIRE_LIFETIMEBOUND;

  INFERWIRE_API friend bool operator==(const Model&, const Model&);
};

/// Everything that is served.
struct List {
  std::string object{};       ///< "list"; Databricks sends none
  std::vector<Model> data{};  ///< `endpoints` in the answers of Databricks
  Extra extra{};

  INFERWIRE_API friend bool operator==(const List&, const List&);
};

/// The document as it travels, for logs and files. Errors: invalid_request, with the path.
INFERWIRE_API Result<Json> to_json(const Model& model);
INFERWIRE_API Result<Json> to_json(const List& list);

}  // namespace models

/// The inverse of `models::to_json`.
template <>
INFERWIRE_API Result<models::Model> from_json(const Json& document);
template <>
INFERWIRE_API Result<models::List> from_json(const Json& document);

}  // namespace inferwire::inline v0_1
