/// \file
/// JSON schemas of your program's structs, and reading and writing these structs as JSON: for answers that a
/// model fills in, and for the arguments of functions that it calls. For how to describe a struct, see
/// description.hpp.
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
/// A variant is `anyOf` in the schema. It is read as the alternative that matches the document: all of its
/// members are there, except optional ones, and its enums have the document's words, so an enum with a single
/// word distinguishes structs; the elements of a list match, and an array has the right number of them. If
/// several alternatives match, the one that has most of the document's members is chosen, then one whose
/// members fit (their types, bounds and sizes, but not what is inside of objects), then one of which nothing
/// is missing, then the first. If the chosen one cannot be read, and one of the alternatives is a Json, the
/// document is read as that.
#pragma once

#include "inferwire/description.hpp"
#include "inferwire/export.hpp"
#include "inferwire/from_json.hpp"
#include "inferwire/json.hpp"
#include "inferwire/result.hpp"
#include "inferwire/shape.hpp"

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

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

/// Reports what is missing if a struct has no description.
template <class T>
struct NeedsDescription {
  static_assert(Described<T>,
                "this struct has no description: write INFERWIRE_DESCRIBE(Struct, member, ...) after its "
                "definition, in its namespace");
  static constexpr bool met = Described<T>;
};

}  // namespace detail

/// The name of a struct in its description, for ResponseFormat and similar: without the namespaces before it,
/// and as providers accept it, "Page_geo_River" for `web::Page<geo::River>`: with "_" for characters other
/// than letters, digits and "-", and at most 64 characters.
template <Described T>
std::string name_of() {
  return detail::schema_name(detail::description_of<T>.name);
}

/// The JSON schema of a struct, in the subset that providers enforce: every member is required, optional
/// members may be null, and additional members are not allowed.
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

/// Reads a struct from `document`. An optional is absent if its member is missing or null; members that the
/// struct does not have are ignored. Errors: schema, with the path ("stops[2].name"), if a member is missing,
/// of another type or out of bounds; decode for text that is not JSON.
template <Described T>
Result<T> from_json(const Json& document) {
  T value{};
  if (auto read = detail::read_shape(detail::shape_of<T>, document, &value); !read) {
    return std::move(read).error();
  }
  return value;
}

/// Writes a struct as JSON; absent members are left out. Errors: invalid_request, with the path, for text
/// that is not UTF-8, a number that is not finite, and an enum value without a word.
template <Described T>
Result<Json> to_json(const T& value) {
  return detail::write_shape(detail::shape_of<T>, &value);
}

/// A reason why a schema cannot be strict.
struct SchemaProblem {
  std::string path{};    ///< the place in the schema, as an RFC 6901 pointer: "/properties/km"
  std::string detail{};  ///< what is wrong there, and how to fix it

  friend bool operator==(const SchemaProblem&, const SchemaProblem&) = default;
};

/// A schema in the subset that providers enforce with `strict`, as defined by OpenAI.
struct StrictSchema {
  Json schema{};  ///< for chat::format_of, or as the parameters of a tool
  /// Everything that could not be expressed in it, in order. If empty, every document that matches `schema`
  /// also matches the original schema.
  std::vector<SchemaProblem> problems{};
};

/// Converts a schema of your own, for example one written by pydantic, for `strict` answers and tools.
/// Objects get `additionalProperties: false` and require all their properties; `oneOf` becomes `anyOf`; an
/// `allOf` with one element, keywords beside references and, at the root, a reference and a list of one type
/// are rewritten; `default`, `discriminator`, "x-..." and other annotations are left out. Reported as
/// problems are a property that was not required, unless it has a default or may be null, an inner object
/// that allows any properties, and each keyword that providers do not enforce. The provider's limits on depth
/// and size are not checked.
INFERWIRE_API StrictSchema strict_schema(const Json& schema);

}  // namespace inferwire::inline v0_1
