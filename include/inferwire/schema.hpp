/// \file
/// Your program's structs as a JSON schema, and read from JSON: what a model fills in, and the arguments of
/// functions that it calls. description.hpp says how a struct is described.
///
///     struct River {
///       std::string name{};
///       int km{};
///     };
///     INFERWIRE_DESCRIBE(River, name, km)
///
///     const Json schema = schema_of<River>();
///     const Result<River> river = from_json<River>(document);
///
/// A variant is `anyOf` in the schema. It is read as an alternative whose members are all there, but for
/// optional ones, and whose enums have the words that came: an enum of one word tells structs apart. Of
/// several it is the one that has the most of the members that came, then one of which nothing is missing,
/// then the first.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "inferwire/description.hpp"
#include "inferwire/export.hpp"
#include "inferwire/from_json.hpp"
#include "inferwire/json.hpp"
#include "inferwire/result.hpp"
#include "inferwire/shape.hpp"

namespace inferwire::inline v0_1 {

namespace detail {

INFERWIRE_API std::string schema_name(std::string_view name);
INFERWIRE_API bool is_closed(const Shape& shape);
INFERWIRE_API Json schema_of(const Shape& shape);
INFERWIRE_API Result<void> read_shape(const Shape& shape, const Json& document, void* value);
INFERWIRE_API Result<Json> write_shape(const Shape& shape, const void* value);

}  // namespace detail

/// A struct that has a description.
template <class T>
concept Described = std::is_class_v<T> && detail::HasDescription<T>;

namespace detail {

/// Says what is missing where a struct that is not described is given.
template <class T>
struct NeedsDescription {
  static_assert(Described<T>,
                "this struct has no description: write INFERWIRE_DESCRIBE(Struct, member, ...) behind its "
                "definition, in its namespace");
  static constexpr bool met = Described<T>;
};

}  // namespace detail

/// The name of a struct in its description, for ResponseFormat and the like: without namespaces, and with "_"
/// for characters that no provider takes in a name.
template <Described T>
std::string name_of() {
  return detail::schema_name(detail::description_of<T>().name);
}

/// The JSON schema of a struct, in the subset that providers enforce: every member is required, optional ones
/// may be null, and no others are allowed.
template <Described T>
Json schema_of() {
  return detail::schema_of(detail::shape_of<T>);
}

/// Does not compile, and says what is missing.
template <class T>
  requires(!Described<T>)
Json schema_of() {
  static_assert(detail::NeedsDescription<T>::met);
  return {};
}

/// Reads the struct from `document`. Members that are missing or null leave an optional absent; members that
/// the struct does not have are ignored. Errors: schema, with the path ("stops[2].name"), if a member is
/// missing, of another type or out of its bounds; decode for text that is not JSON.
template <Described T>
Result<T> from_json(const Json& document) {
  T value{};
  if (auto read = detail::read_shape(detail::shape_of<T>, document, &value); !read) {
    return std::move(read).error();
  }
  return value;
}

/// The struct as JSON; what is absent is left out. Errors: invalid_request, with the path, for text that is
/// not UTF-8, a number that is not finite, and an enum value without a word.
template <Described T>
Result<Json> to_json(const T& value) {
  return detail::write_shape(detail::shape_of<T>, &value);
}

/// What keeps a schema from being strict.
struct SchemaProblem {
  std::string path{};    ///< the place in the schema, as an RFC 6901 pointer: "/properties/km"
  std::string detail{};  ///< what is wrong there, and what would help

  friend bool operator==(const SchemaProblem&, const SchemaProblem&) = default;
};

/// A schema in the subset that providers enforce under `strict`, which is OpenAI's.
struct StrictSchema {
  Json schema{};  ///< for chat::format_of, or as the parameters of a tool
  /// All that could not be said in it, in order. Empty: whatever fits `schema` fits the schema it came from.
  std::vector<SchemaProblem> problems{};
};

/// A schema of your own for `strict` answers and tools, for example one that pydantic wrote: objects get
/// `additionalProperties: false`, and require all their properties; `oneOf` becomes `anyOf`; an `allOf` of
/// one, a reference at the root and what stands beside references are written another way; `default`,
/// `discriminator`, "x-..." and other annotations are left out. A property that was not required is a
/// problem, unless it has a default or may be null; so is each keyword that providers do not enforce. What
/// the provider's limits are, on depth and size, is not looked at.
INFERWIRE_API StrictSchema strict_schema(const Json& schema);

}  // namespace inferwire::inline v0_1
