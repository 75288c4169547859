#include "engine/constraint/schema_reference.hpp"

#include "base/percent.hpp"
#include "engine/utf8.hpp"

namespace inferwire::inline v0_1::engine {

const Schema* find_reference(const Schema& document, const std::string& reference) {
  if (!reference.starts_with('#')) return nullptr;
  try {
    const auto* target = &document.at(Schema::json_pointer(percent_decode(reference.substr(1))));
    return target->is_object() || target->is_boolean() ? target : nullptr;
  } catch (const Schema::exception&) {  // not a pointer, or one to nothing
    return nullptr;
  }
}

const Schema* resolve(const Schema& document, const std::string& reference, SchemaReport& report) {
  const auto* target = find_reference(document, reference);
  if (target == nullptr) report.fail("'$ref' cannot be resolved: '" + shortened(reference) + "'");
  return target;
}

}  // namespace inferwire::inline v0_1::engine
