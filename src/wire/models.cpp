// Models: their tables and helpers.
#include "inferwire/models.hpp"

#include "json/table.hpp"
#include "wire/documents.hpp"

namespace inferwire::inline v0_1 {

namespace json {

template <>
struct Fields<models::Model> {
  using Self = models::Model;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id),
      INFERWIRE_FIELD(object),
      INFERWIRE_FIELD(created),
      INFERWIRE_FIELD(owned_by),
      INFERWIRE_FIELD(shutdown_date),
      INFERWIRE_FIELD(name),
      INFERWIRE_FIELD(task),
      INFERWIRE_FIELD(creator),
      INFERWIRE_FIELD(creation_timestamp),
      INFERWIRE_FIELD(last_updated_timestamp),
      INFERWIRE_FIELD(state),
      INFERWIRE_FIELD(config),
  };
};

template <>
struct Fields<models::List> {
  using Self = models::List;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(object),
      INFERWIRE_FIELD(data, structure | required | keep_empty),
      INFERWIRE_ALIAS(data, "endpoints"),
  };
  /// Databricks sends {} for a workspace without endpoints, programs in Go send null, with members for pages.
  static bool excuse(const Self& list) noexcept {
    return list.extra.empty() || (list.object == "list" && list.extra.find("models") == nullptr);
  }
};

template const Type& describe<models::Model>();
template const Type& describe<models::List>();

}  // namespace json

namespace models {

const std::string& Model::request_name() const noexcept {
  // OpenRouter and others send a name to be read by people, too.
  const bool is_endpoint = task || state || config || creation_timestamp || !creator.empty();
  return !name.empty() && (is_endpoint || id.empty()) ? name : id;
}

Result<Json> to_json(const Model& model) { return wire::encoded(model); }
Result<Json> to_json(const List& list) { return wire::encoded(list); }

bool operator==(const Model&, const Model&) = default;
bool operator==(const List&, const List&) = default;

}  // namespace models

INFERWIRE_FROM_JSON(models::Model, tolerant)
INFERWIRE_FROM_JSON(models::List, tolerant)

}  // namespace inferwire::inline v0_1
