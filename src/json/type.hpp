/// \file
/// Descriptions of C++ types for the codec, as plain data for one interpreter. They are generated from tables
/// (table.hpp).
#pragma once

#include "json/name.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace inferwire::inline v0_1::json {

/// Special properties of a member.
enum Flag : std::uint16_t {
  none = 0,
  required = 1,       ///< its absence is a decode error; implies structure
  structure = 2,      ///< carries the answer: a wrong type is an error also in tolerant reading
  keep_empty = 4,     ///< written even if it is an empty string or list
  emit_null = 8,      ///< written as null if it is absent
  object_text = 16,   ///< a string that some servers send as an object: the object's text is taken
  alias = 32,         ///< a second spelling of the member listed before it: read, never written
  or_one = 64,        ///< a list of objects that some servers send as its only object
  in_nest = 128,      ///< in the nested spelling it is inside the object named by `nest`
  or_list = 256,      ///< an optional object that some servers send as a list with one element
  or_number = 512,    ///< a string that some servers send as a number: tolerant reading takes its text
  partial = 1024,     ///< an object that may lack what its own table requires
  or_unknown = 2048,  ///< an object that holds everything: in a tagged union, a struct without it is Unknown
};
constexpr Flag operator|(Flag a, Flag b) noexcept {
  return static_cast<Flag>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

/// The kinds of JSON values, as a set.
enum Shape : std::uint8_t {
  string_shape = 1,
  number_shape = 2,
  bool_shape = 4,
  list_shape = 8,
  object_shape = 16,
};
inline constexpr std::uint8_t any_shape =
    string_shape | number_shape | bool_shape | list_shape | object_shape;

/// How the codec treats a C++ type. Kinds up to opt_boolean are leaves.
enum class Kind : std::uint8_t {
  string,  // std::string and OpenEnum
  integer,
  number,
  boolean,
  opt_string,  // Optional of these, except OpenEnum
  opt_integer,
  opt_number,
  opt_boolean,
  json,
  optional,  // Optional of anything else
  object,
  floats,  // std::vector<float>
  array,
  dictionary,
  either,  // std::variant picked by the kind of JSON value
  tagged,  // std::variant picked by `type`
};

struct Type;

/// Contiguous elements.
struct View {
  const void* data{};
  std::size_t size{};
};

/// A type with a varying number of values: Optional (none or one), std::vector.
struct Holder {
  std::size_t stride;        ///< bytes from one element to the next
  std::size_t value_offset;  ///< the offset of the value in an element; not 0 in a Dictionary
  void* (*open)(void* self,
                std::size_t index);  ///< the element at `index`, created at the end if it is missing
  void (*shrink)(void* self, std::size_t size);  ///< drops the elements from `size` on
  View (*view)(const void* self);
};

struct Entry {
  Name name{};
  const Type* type{};
  std::uint32_t offset{};
  Flag flags{};
};

struct Object {
  const Entry* entries{};
  unsigned count{};
  std::uint32_t extra_offset{};
  std::uint64_t members{};          ///< the entries that are not aliases, by bit
  std::uint64_t required{};         ///< the entries that must be present, by bit
  std::uint64_t optionals{};        ///< the optionals of any type, by bit
  std::uint64_t strings{};          ///< the plain strings that are not written if they are empty, by bit
  std::uint64_t lists{};            ///< the other members that are not written if they are empty, by bit
  std::uint64_t nulls{};            ///< the entries that are written as null if they are absent, by bit
  std::uint64_t nested{};           ///< the members that are inside `nest` in the nested spelling
  const std::uint16_t* presence{};  ///< for each optional, the offset of what has_value() returns
  std::string_view nest{};          ///< the name of that object; empty: there is no nested spelling
  std::string_view tag{};   ///< the value of the object's `type` member if the struct does not store it
  std::string_view body{};  ///< the name of the member that is `or_unknown`
  Index index{};
  const void* (*fresh)(){};              ///< a default-constructed struct
  bool (*excuse)(const void* object){};  ///< whether it is complete without what is required; nullptr: never
};

struct Alternative {
  const Type* type{};
  void* (*open)(void* self){};  ///< the alternative, created if another one is active
};

/// A value of `type` that selects an alternative.
struct Tag {
  Name name{};
  std::uint8_t alternative{};
};

struct Union {
  const Alternative* alternatives{};
  unsigned count{};
  const Tag* tags{};                     ///< empty if the union is not tagged
  Index index{};                         ///< the tags
  std::uint8_t untagged{};               ///< the alternative of objects without a `type`
  std::size_t (*active)(const void*){};  ///< the index of the active alternative
  const void* (*view)(const void*){};    ///< the active one
  void (*renew)(void*){};                ///< resets it to a default-constructed union
};

struct Type {
  Kind kind{};
  std::uint8_t shapes{};        ///< the kinds of JSON values from which it can be read
  const Type* inner{};          ///< optional, array, dictionary: the type of their values
  const Holder* holder{};       ///< optional, array, dictionary
  const Object* object{};       ///< object
  const Union* alternatives{};  ///< either, tagged
};

constexpr bool is_optional(const Type& type) noexcept {
  return type.kind == Kind::optional || (type.kind >= Kind::opt_string && type.kind <= Kind::opt_boolean);
}
/// The offset in an optional of what has_value() returns: it is behind the value.
constexpr std::size_t presence_in(const Type& type) noexcept { return type.holder->stride; }

/// The kinds of JSON values that the elements of a list can be.
constexpr std::uint8_t element_shapes(const Type& type) noexcept {
  if (type.kind == Kind::floats) return number_shape;
  return type.kind == Kind::array ? type.inner->shapes : any_shape;
}

/// Whether the optional `i` of the struct at `base` has a value. Most of a struct's members are absent
/// optionals; this reads nothing of them but a byte each.
inline bool has_value(const Object& table, const char* base, unsigned i) noexcept {
  return *reinterpret_cast<const bool*>(base + table.presence[i]);
}

/// Whether the struct that `type` describes has a member of this name.
inline bool has_member(const Type& type, std::string_view name) noexcept {
  return type.object->index.find(name, type.object->entries) != Index::nothing;
}

}  // namespace inferwire::inline v0_1::json
