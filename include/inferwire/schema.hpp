/// \file
/// Your program's structs as a JSON schema, and read from JSON: what a model fills in, and the arguments of
/// functions that it calls.
///
///     enum class End { sea, lake, river };
///     INFERWIRE_DESCRIBE_WORDS(End, sea, lake, river)
///
///     struct River {
///       std::string name{};
///       int km{};
///       Optional<End> ends_in{};
///     };
///     INFERWIRE_DESCRIBE(River, name, km, ends_in)
///
///     const Json schema = schema_of<River>();
///     const Result<River> river = from_json<River>(document);
///
/// The macros go after the type, in its namespace. To say more about a member than its type, put it in
/// parentheses with a description, then other MemberFacts in order.
///
///     INFERWIRE_DESCRIBE(River, (name, "In English"), (km, "From the source", .minimum = 1), ends_in)
///
/// If the names in JSON differ, write the function that the macro defines by hand:
///
///     constexpr auto inferwire_description(const River*) {
///       return describe("river", member("name", &River::name, {.description = "In English"}),
///                       member("length", &River::km, {.minimum = 1, .maximum = 7000}),
///                       member("endsIn", &River::ends_in));
///     }
///
/// Members may be bool, integers, float, double, std::string, Json (anything), described enums and structs,
/// and std::vector, std::variant, Optional and std::optional of these, but for an optional in an optional or
/// in a variant. A struct may hold a list of its own kind, or of variants of it; such a member of variants is
/// declared without `{}`, with which Clang takes the struct for one that has no default.
///
/// A variant is `anyOf` in the schema. It is read as the first of its alternatives whose members are all
/// there, and whose enums have the words that came: an enum of one word tells structs apart.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "inferwire/from_json.hpp"
#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/result.hpp"

namespace inferwire::inline v0_1 {

/// What a schema says about a member in addition to its type; the model reads all of it, and `from_json`
/// checks the bounds.
struct MemberFacts {
  std::string_view description{};          ///< what it is for
  std::optional<double> minimum{};         ///< the least that a number may be; finite
  std::optional<double> maximum{};         ///< the greatest that a number may be; finite
  std::optional<std::size_t> min_items{};  ///< the fewest elements that a list may have
  std::optional<std::size_t> max_items{};  ///< the most elements that a list may have
};

/// A member of a described struct.
template <class Struct, class Value>
struct DescribedMember {
  std::string_view name{};  ///< in JSON
  Value Struct::* place{};  ///< in the struct
  MemberFacts facts{};      ///< what else the schema says
};

/// A described struct, by its members in JSON.
template <class... Members>
struct StructDescription {
  std::string_view name{};           ///< what schemas are called by
  std::tuple<Members...> members{};  ///< DescribedMember of each
};

/// A described enum, by its words.
template <class Enum, std::size_t Count>
struct WordsDescription {
  std::string_view name{};                                       ///< the name of the enum
  std::array<std::pair<std::string_view, Enum>, Count> words{};  ///< each with its value
};

/// A member, by its name in JSON. Names and texts have to outlive the program's main: literals do.
template <class Struct, class Value>
constexpr DescribedMember<Struct, Value> member(std::string_view name, Value Struct::* place,
                                                MemberFacts facts = {}) {
  return {name, place, facts};
}
/// A struct, by its members. `name`: letters, digits, "_" and "-", at most 64.
template <class... Members>
constexpr StructDescription<Members...> describe(std::string_view name, Members... members) {
  return {name, {members...}};
}
/// An enum, by the words for its values.
template <class Enum, std::same_as<std::pair<std::string_view, Enum>>... More>
constexpr WordsDescription<Enum, 1 + sizeof...(More)> describe_words(std::string_view name,
                                                                     std::pair<std::string_view, Enum> first,
                                                                     More... more) {
  return {name, {{first, more...}}};
}

namespace detail {

struct Shape;

/// A whole number of any type, and the place of a word among those of its enum.
struct WholeNumber {
  std::uint64_t magnitude{};
  bool negative{};
};

struct ShapeMember {
  std::string_view name{};
  MemberFacts facts{};
  const Shape* shape{};
  void* (*in)(void* object){};  ///< the member of an object
};

/// What is known of a type at run time, so that one piece of code reads, writes and describes them all.
struct Shape {
  enum class Kind : std::uint8_t {
    boolean,
    integer,
    number,
    text,
    json,
    word,
    object,
    list,
    optional,
    variant
  };
  Kind kind{};
  std::string_view name{};                  ///< the name of a struct or an enum
  const ShapeMember* members{};             ///< the members of a struct
  const Shape* const* alternatives{};       ///< the shapes that a variant may have
  std::size_t count{};                      ///< how many members, words or alternatives there are
  std::string_view (*word)(std::size_t){};  ///< gives a word of an enum
  const Shape* inner{};                     ///< the shape in a list or an optional
  std::optional<std::int64_t> least{};      ///< the least value of a small integer type
  std::optional<std::int64_t> most{};       ///< the greatest value of a small integer type
  bool (*set_whole)(void*, WholeNumber){};  ///< false: it does not fit. Of a boolean: 1 is true
  WholeNumber (*whole)(const void*){};      ///< the number of an enum's word, or `count`
  bool (*set_number)(void*, double){};      ///< false: it does not fit
  double (*number)(const void*){};
  bool is_float{};                                ///< a number of few digits
  void* (*add)(void*){};                          ///< the next element, or the value of an optional
  std::size_t (*size)(const void*){};             ///< how much is in a list or an optional
  const void* (*at)(const void*, std::size_t){};  ///< what is in it; nullptr for what a variant does not hold
  void* (*choose)(void*, std::size_t){};          ///< the value of a variant that holds this alternative
  void (*clear)(void*){};
};

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_variant = false;
template <class... T>
inline constexpr bool is_variant<std::variant<T...>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<Optional<T>> = true;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// Becomes a pointer to T and to nothing else: a struct is not described by what describes its base.
template <class T>
struct PointerTo {
  template <class U>
    requires std::is_same_v<U, T>
  constexpr operator const U*() const noexcept {
    return nullptr;
  }
};

template <class T>
concept HasDescription = requires { inferwire_description(PointerTo<T>()); };

template <class T>
constexpr auto description_of() {
  return inferwire_description(PointerTo<T>());
}

template <class T>
constexpr Shape make_shape();
template <class T>
inline constexpr Shape shape_of = make_shape<T>();

/// What a member's facts are about: of an optional its value.
template <class T>
struct ToldOf {
  using Type = T;
};
template <class T>
  requires is_optional<T>
struct ToldOf<T> {
  using Type = typename T::value_type;
};

constexpr bool are_finite(const MemberFacts& facts) {
  constexpr auto most = std::numeric_limits<double>::max();
  const auto minimum = facts.minimum.value_or(0), maximum = facts.maximum.value_or(0);
  return minimum >= -most && minimum <= most && maximum >= -most && maximum <= most;
}

template <class T, std::size_t I>
constexpr ShapeMember shape_of_member() {
  constexpr auto described = std::get<I>(description_of<T>().members);
  using Value = std::remove_cvref_t<decltype(std::declval<T&>().*described.place)>;
  using Told = typename ToldOf<Value>::Type;
  constexpr auto facts = described.facts;
  constexpr bool is_number = std::is_arithmetic_v<Told> && !std::is_same_v<Told, bool>;
  static_assert(are_finite(facts), "a member's minimum and maximum are finite: leave out what is no bound");
  static_assert(is_number || (!facts.minimum && !facts.maximum),
                "minimum and maximum are facts of a number: a list's elements have none");
  static_assert(is_vector<Told> || (!facts.min_items && !facts.max_items),
                "min_items and max_items are facts of a list");
  return {described.name, described.facts, &shape_of<Value>, [](void* object) -> void* {
            return &(static_cast<T*>(object)->*std::get<I>(description_of<T>().members).place);
          }};
}
template <class T, std::size_t... I>
constexpr std::array<ShapeMember, sizeof...(I)> shapes_of_members(std::index_sequence<I...>) {
  return {shape_of_member<T, I>()...};
}
template <class T>
inline constexpr auto members_of = shapes_of_members<T>(
    std::make_index_sequence<std::tuple_size_v<decltype(description_of<T>().members)>>());

template <class T>
constexpr Shape make_leaf() {
  Shape shape;
  if constexpr (std::is_same_v<T, bool>) {
    shape.kind = Shape::Kind::boolean;
    shape.set_whole = [](void* to, WholeNumber value) {
      *static_cast<T*>(to) = value.magnitude != 0;
      return true;
    };
  } else if constexpr (std::is_integral_v<T>) {
    shape.kind = Shape::Kind::integer;
    if constexpr (sizeof(T) < sizeof(int)) {
      shape.least = std::numeric_limits<T>::min();
      shape.most = std::numeric_limits<T>::max();
    } else if constexpr (std::is_unsigned_v<T>) {
      shape.least = 0;
    }
    shape.set_whole = [](void* to, WholeNumber value) {
      constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
      const bool negative = value.negative && value.magnitude > 0;
      if (value.magnitude > (negative && std::is_signed_v<T> ? most + 1 : negative ? 0 : most)) return false;
      // A negative number is kept as its two's complement.
      *static_cast<T*>(to) = static_cast<T>(negative ? 0 - value.magnitude : value.magnitude);
      return true;
    };
    shape.whole = [](const void* from) {
      const auto value = *static_cast<const T*>(from);
      const auto bits = static_cast<std::uint64_t>(value);
      return std::cmp_less(value, 0) ? WholeNumber{0 - bits, true} : WholeNumber{bits, false};
    };
  } else if constexpr (std::is_floating_point_v<T>) {
    shape.kind = Shape::Kind::number;
    shape.is_float = std::is_same_v<T, float>;
    shape.set_number = [](void* to, double value) {
      constexpr auto most = static_cast<double>(std::numeric_limits<T>::max());
      if (value > most || value < -most) return false;
      *static_cast<T*>(to) = static_cast<T>(value);
      return true;
    };
    shape.number = [](const void* from) { return static_cast<double>(*static_cast<const T*>(from)); };
  } else {
    shape.kind = std::is_same_v<T, Json> ? Shape::Kind::json : Shape::Kind::text;
  }
  return shape;
}

template <class T>
constexpr Shape make_words() {
  Shape shape{.kind = Shape::Kind::word, .name = description_of<T>().name};
  shape.count = description_of<T>().words.size();
  shape.word = [](std::size_t place) { return description_of<T>().words[place].first; };
  shape.set_whole = [](void* to, WholeNumber place) {
    const auto words = description_of<T>().words;
    *static_cast<T*>(to) = words.begin()[static_cast<std::ptrdiff_t>(place.magnitude)].second;
    return true;
  };
  shape.whole = [](const void* from) {
    WholeNumber place;
    for (const auto& word : description_of<T>().words) {
      if (word.second == *static_cast<const T*>(from)) break;
      ++place.magnitude;
    }
    return place;
  };
  return shape;
}

template <class T>
constexpr Shape make_list() {
  using Value = typename T::value_type;
  Shape shape{.kind = Shape::Kind::list, .inner = &shape_of<Value>};
  shape.add = [](void* list) -> void* { return &static_cast<T*>(list)->emplace_back(); };
  shape.size = [](const void* list) { return static_cast<const T*>(list)->size(); };
  shape.at = [](const void* list, std::size_t place) -> const void* {
    return &(*static_cast<const T*>(list))[place];
  };
  shape.clear = [](void* list) { static_cast<T*>(list)->clear(); };
  return shape;
}

/// The last of a std::vector<bool>, which is a bit without a place of its own: by way of the list.
inline constexpr Shape last_bit{.kind = Shape::Kind::boolean, .set_whole = [](void* to, WholeNumber value) {
                                  static_cast<std::vector<bool>*>(to)->back() = value.magnitude != 0;
                                  return true;
                                }};
inline constexpr bool bits[]{false, true};

template <>
constexpr Shape make_list<std::vector<bool>>() {
  using List = std::vector<bool>;
  Shape shape{.kind = Shape::Kind::list, .inner = &last_bit};
  shape.add = [](void* list) {
    static_cast<List*>(list)->push_back(false);
    return list;
  };
  shape.size = [](const void* list) { return static_cast<const List*>(list)->size(); };
  shape.at = [](const void* list, std::size_t place) -> const void* {
    return &bits[(*static_cast<const List*>(list))[place] ? 1 : 0];
  };
  shape.clear = [](void* list) { static_cast<List*>(list)->clear(); };
  return shape;
}

template <class T>
constexpr Shape make_optional() {
  using Value = typename T::value_type;
  static_assert(!is_optional<Value>, "an optional of an optional: JSON has one null");
  Shape shape{.kind = Shape::Kind::optional, .inner = &shape_of<Value>};
  shape.add = [](void* optional) -> void* { return &static_cast<T*>(optional)->emplace(); };
  shape.size = [](const void* optional) -> std::size_t {
    return static_cast<const T*>(optional)->has_value() ? 1 : 0;
  };
  shape.at = [](const void* optional, std::size_t) -> const void* {
    return &**static_cast<const T*>(optional);
  };
  shape.clear = [](void* optional) { static_cast<T*>(optional)->reset(); };
  return shape;
}

template <class... T>
inline constexpr std::array<const Shape*, sizeof...(T)> alternatives_of{&shape_of<T>...};

template <class... T>
constexpr Shape make_variant(const std::variant<T...>*) {
  using Value = std::variant<T...>;
  static_assert(!(is_optional<T> || ...), "an optional in a variant: make the variant optional instead");
  Shape shape{.kind = Shape::Kind::variant, .count = sizeof...(T)};
  shape.alternatives = alternatives_of<T...>.data();
  shape.at = [](const void* from, std::size_t place) -> const void* {
    const auto& value = *static_cast<const Value*>(from);
    if (value.index() != place) return nullptr;
    return std::visit([](const auto& held) -> const void* { return &held; }, value);
  };
  shape.choose = [](void* to, std::size_t place) -> void* {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      void* chosen = nullptr;
      static_cast<void>(
          ((place == I && (chosen = &static_cast<Value*>(to)->template emplace<I>()) != nullptr) || ...));
      return chosen;
    }(std::index_sequence_for<T...>());
  };
  return shape;
}

template <class T>
concept IsLeaf = (std::is_arithmetic_v<T> && !std::is_same_v<T, char>) || std::is_same_v<T, std::string> ||
                 std::is_same_v<T, Json>;

template <class T>
concept HasShape = IsLeaf<T> || is_vector<T> || is_optional<T> || is_variant<T> || HasDescription<T>;

template <class T>
constexpr Shape make_shape() {
  static_assert(HasShape<T>,
                "a member is of a type that schema.hpp does not know: describe it by INFERWIRE_DESCRIBE, or "
                "INFERWIRE_DESCRIBE_WORDS, behind its definition and in its namespace");
  if constexpr (IsLeaf<T>) {
    return make_leaf<T>();
  } else if constexpr (is_vector<T>) {
    return make_list<T>();
  } else if constexpr (is_optional<T>) {
    return make_optional<T>();
  } else if constexpr (is_variant<T>) {
    return make_variant(static_cast<const T*>(nullptr));
  } else if constexpr (std::is_enum_v<T>) {
    return make_words<T>();
  } else {
    return {.kind = Shape::Kind::object,
            .name = description_of<T>().name,
            .members = members_of<T>.data(),
            .count = members_of<T>.size()};
  }
}

INFERWIRE_API std::string schema_name(std::string_view name);
INFERWIRE_API bool is_closed(const Shape& shape);
INFERWIRE_API Json schema_of(const Shape& shape);
INFERWIRE_API Result<void> read_shape(const Shape& shape, const Json& document, void* value);
INFERWIRE_API Result<Json> write_shape(const Shape& shape, const void* value);

}  // namespace detail

/// A struct that has a description.
template <class T>
concept Described = std::is_class_v<T> && detail::HasDescription<T>;

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
/// one, a reference at the root and what stands beside references are written another way; `default` and
/// other annotations are left out. A property that was not required is a problem, unless it has a default or
/// may be null. What the provider's limits are, on depth and size, is not looked at.
INFERWIRE_API StrictSchema strict_schema(const Json& schema);

}  // namespace inferwire::inline v0_1

/// \cond
// The macros' own: `step(type, member)` for each of up to 256 members, separated by commas.
#define INFERWIRE_PARENTHESES ()
#define INFERWIRE_EXPAND(...) INFERWIRE_EXPAND_4(INFERWIRE_EXPAND_4(INFERWIRE_EXPAND_4(__VA_ARGS__)))
#define INFERWIRE_EXPAND_4(...) INFERWIRE_EXPAND_3(INFERWIRE_EXPAND_3(INFERWIRE_EXPAND_3(__VA_ARGS__)))
#define INFERWIRE_EXPAND_3(...) INFERWIRE_EXPAND_2(INFERWIRE_EXPAND_2(INFERWIRE_EXPAND_2(__VA_ARGS__)))
#define INFERWIRE_EXPAND_2(...) INFERWIRE_EXPAND_1(INFERWIRE_EXPAND_1(INFERWIRE_EXPAND_1(__VA_ARGS__)))
#define INFERWIRE_EXPAND_1(...) __VA_ARGS__
#define INFERWIRE_FOR_EACH(step, type, ...) \
  __VA_OPT__(INFERWIRE_EXPAND(INFERWIRE_FOR_EACH_STEP(step, type, __VA_ARGS__)))
#define INFERWIRE_FOR_EACH_STEP(step, type, first, ...) \
  step(type, first) __VA_OPT__(, INFERWIRE_FOR_EACH_AGAIN INFERWIRE_PARENTHESES(step, type, __VA_ARGS__))
#define INFERWIRE_FOR_EACH_AGAIN() INFERWIRE_FOR_EACH_STEP
// A member is a name, or `(name, description, facts...)`: INFERWIRE_COMMA is called where the parentheses
// are.
#define INFERWIRE_DESCRIBED_MEMBER(type, member) \
  INFERWIRE_THIRD(INFERWIRE_COMMA member, INFERWIRE_GROUPED_MEMBER, INFERWIRE_NAMED_MEMBER, )(type, member)
#define INFERWIRE_COMMA(...) ,
#define INFERWIRE_THIRD(...) INFERWIRE_THIRD_OF(__VA_ARGS__)
#define INFERWIRE_THIRD_OF(first, second, third, ...) third
#define INFERWIRE_NAMED_MEMBER(type, name) ::inferwire::member(#name, &type::name)
#define INFERWIRE_GROUPED_MEMBER(type, group) INFERWIRE_MEMBER_OF(type, INFERWIRE_UNGROUPED group)
#define INFERWIRE_UNGROUPED(...) __VA_ARGS__
#define INFERWIRE_MEMBER_OF(...) INFERWIRE_MEMBER_WITH_FACTS(__VA_ARGS__)
#define INFERWIRE_MEMBER_WITH_FACTS(type, name, ...) \
  ::inferwire::member(#name, &type::name, {__VA_OPT__(.description =) __VA_ARGS__})
#define INFERWIRE_DESCRIBED_WORD(type, name) \
  ::std::pair<::std::string_view, type> { #name, type::name }

/// \endcond

/// Describes a struct by the members that are named here, up to 80, each as `name` or `(name,
/// "description")`; see the top of this file.
#define INFERWIRE_DESCRIBE(type, ...)                                                                    \
  constexpr auto inferwire_description(const type*) {                                                    \
    return ::inferwire::describe(#type __VA_OPT__(, )                                                    \
                                     INFERWIRE_FOR_EACH(INFERWIRE_DESCRIBED_MEMBER, type, __VA_ARGS__)); \
  }
/// Describes an enum by its words, up to 80.
#define INFERWIRE_DESCRIBE_WORDS(type, ...)                                                              \
  constexpr auto inferwire_description(const type*) {                                                    \
    return ::inferwire::describe_words(#type,                                                            \
                                       INFERWIRE_FOR_EACH(INFERWIRE_DESCRIBED_WORD, type, __VA_ARGS__)); \
  }
