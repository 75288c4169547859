/// \file
/// Run-time information about described types. Internal to the library, for schema.hpp.
#pragma once

#include "inferwire/description.hpp"
#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"

#include <algorithm>
#include <array>
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

namespace inferwire::inline v0_1::detail {

struct Shape;

/// An integer of any type, or the index of a word in its enum.
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

/// Run-time information about a type, so that one piece of code reads, writes and describes all types.
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
  std::string_view (*word)(std::size_t){};  ///< returns a word of an enum
  const Shape* inner{};                     ///< the shape in a list or an optional
  std::optional<std::int64_t> least{};      ///< the least value of a small integer type
  std::optional<std::int64_t> most{};       ///< the greatest value of a small integer type
  /// Returns false if the number does not fit. For a boolean, 1 is true; for an integer, as in `set_number`,
  /// the destination may be nullptr, to check only.
  bool (*set_whole)(void*, WholeNumber){};
  WholeNumber (*whole)(const void*){};  ///< the index of an enum's word, or `count`
  bool (*set_number)(void*, double){};  ///< false: it does not fit
  double (*number)(const void*){};
  bool is_float{};                     ///< whether the number is a float
  void* (*add)(void*){};               ///< appends an element, or sets an optional, and returns it
  std::size_t (*size)(const void*){};  ///< the number of elements in a list or an optional
  /// An element; nullptr for an alternative that a variant does not hold.
  const void* (*at)(const void*, std::size_t){};
  void* (*choose)(void*, std::size_t){};  ///< makes a variant hold this alternative and returns its value
  void (*clear)(void*){};
  std::optional<std::size_t> fixed_size{};  ///< the size of an array
  void* (*slot)(void*, std::size_t){};      ///< an element of an array; used instead of `add`
};

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;
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

/// Converts to a pointer to T and to nothing else, so that the description of a base does not apply to a
/// derived struct.
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
inline constexpr auto description_of = inferwire_description(PointerTo<T>());

template <class T>
constexpr Shape make_shape();
template <class T>
inline constexpr Shape shape_of = make_shape<T>();

/// The type to which a member's facts apply: for an optional, that of its value.
template <class T>
struct ToldOf {
  using Type = T;
};
template <class T>
  requires is_optional<T>
struct ToldOf<T> {
  using Type = typename T::value_type;
};

// In parentheses, since windows.h has macros of the names max and min.
constexpr bool are_finite(const MemberFacts& facts) {
  constexpr auto most = (std::numeric_limits<double>::max)();
  const auto minimum = facts.minimum.value_or(0), maximum = facts.maximum.value_or(0);
  return minimum >= -most && minimum <= most && maximum >= -most && maximum <= most;
}

template <class Struct, class Value>
constexpr std::string_view name_of(const DescribedMember<Struct, Value>& member) {
  return member.name;
}
template <class Enum>
constexpr std::string_view name_of(const std::pair<std::string_view, Enum>& word) {
  return word.first;
}
/// Whether each of the members, or words, has a name of its own.
template <class Described>
constexpr bool are_distinct(const Described& described) {
  return std::apply(
      [](const auto&... each) {
        std::array<std::string_view, sizeof...(each)> names{name_of(each)...};
        // If each was compared with each, hundreds of names would take more steps than compilers allow.
        std::sort(names.begin(), names.end());
        return std::adjacent_find(names.begin(), names.end()) == names.end();
      },
      described);
}

template <class T, std::size_t Index>
constexpr ShapeMember shape_of_member() {
  constexpr auto& described = std::get<Index>(description_of<T>.members);
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
            return &(static_cast<T*>(object)->*std::get<Index>(description_of<T>.members).place);
          }};
}
template <class T, std::size_t... Index>
constexpr std::array<ShapeMember, sizeof...(Index)> shapes_of_members(std::index_sequence<Index...>) {
  static_assert(are_distinct(description_of<T>.members), "two members of a struct have the same name");
  return {shape_of_member<T, Index>()...};
}
template <class T>
inline constexpr auto members_of =
    shapes_of_members<T>(std::make_index_sequence<std::tuple_size_v<decltype(description_of<T>.members)>>());

constexpr Shape make_boolean() {
  Shape shape{.kind = Shape::Kind::boolean};
  shape.set_whole = [](void* to, WholeNumber value) {
    *static_cast<bool*>(to) = value.magnitude != 0;
    return true;
  };
  return shape;
}

template <class T>
constexpr Shape make_integer() {
  Shape shape{.kind = Shape::Kind::integer};
  if constexpr (sizeof(T) < sizeof(int)) {
    shape.least = (std::numeric_limits<T>::min)();
    shape.most = (std::numeric_limits<T>::max)();
  } else if constexpr (std::is_unsigned_v<T>) {
    shape.least = 0;
  }
  shape.set_whole = [](void* to, WholeNumber value) {
    constexpr auto most = static_cast<std::uint64_t>((std::numeric_limits<T>::max)());
    const bool negative = value.negative && value.magnitude > 0;
    if (value.magnitude > (negative && std::is_signed_v<T> ? most + 1 : negative ? 0 : most)) return false;
    // A negative number is kept as its two's complement.
    if (to != nullptr)
      *static_cast<T*>(to) = static_cast<T>(negative ? 0 - value.magnitude : value.magnitude);
    return true;
  };
  shape.whole = [](const void* from) {
    const auto value = *static_cast<const T*>(from);
    const auto bits = static_cast<std::uint64_t>(value);
    return std::cmp_less(value, 0) ? WholeNumber{0 - bits, true} : WholeNumber{bits, false};
  };
  return shape;
}

template <class T>
constexpr Shape make_number() {
  Shape shape{.kind = Shape::Kind::number};
  shape.is_float = std::is_same_v<T, float>;
  shape.set_number = [](void* to, double value) {
    constexpr auto most = static_cast<double>((std::numeric_limits<T>::max)());
    if (value > most || value < -most) return false;
    if (to != nullptr) *static_cast<T*>(to) = static_cast<T>(value);
    return true;
  };
  shape.number = [](const void* from) { return static_cast<double>(*static_cast<const T*>(from)); };
  return shape;
}

template <class T>
constexpr Shape make_words() {
  static_assert(are_distinct(description_of<T>.words), "two words of an enum have the same name");
  Shape shape{.kind = Shape::Kind::word, .name = description_of<T>.name};
  shape.count = description_of<T>.words.size();
  shape.word = [](std::size_t place) { return description_of<T>.words[place].first; };
  shape.set_whole = [](void* to, WholeNumber place) {
    const auto& words = description_of<T>.words;
    *static_cast<T*>(to) = words.begin()[static_cast<std::ptrdiff_t>(place.magnitude)].second;
    return true;
  };
  shape.whole = [](const void* from) {
    WholeNumber place;
    for (const auto& word : description_of<T>.words) {
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

/// The last element of a std::vector<bool>, a bit without an address, which is accessed through the list.
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

/// A list with as many elements as the array. Reading overwrites the elements by `slot`, since `add` could
/// not know which is next.
template <class T>
constexpr Shape make_array() {
  Shape shape{.kind = Shape::Kind::list, .inner = &shape_of<typename T::value_type>};
  shape.fixed_size = std::tuple_size_v<T>;
  shape.slot = [](void* list, std::size_t place) -> void* { return &(*static_cast<T*>(list))[place]; };
  shape.size = [](const void*) { return std::tuple_size_v<T>; };
  shape.at = [](const void* list, std::size_t place) -> const void* {
    return &(*static_cast<const T*>(list))[place];
  };
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
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      void* chosen = nullptr;
      static_cast<void>(
          ((place == Index && (chosen = &static_cast<Value*>(to)->template emplace<Index>()) != nullptr) ||
           ...));
      return chosen;
    }(std::index_sequence_for<T...>());
  };
  return shape;
}

template <class T>
concept IsLeaf = (std::is_arithmetic_v<T> && !std::is_same_v<T, char>) || std::is_same_v<T, std::string> ||
                 std::is_same_v<T, Json>;

template <class T>
concept HasShape =
    IsLeaf<T> || is_vector<T> || is_array<T> || is_optional<T> || is_variant<T> || HasDescription<T>;

template <class T>
constexpr Shape make_shape() {
  static_assert(HasShape<T>,
                "a member is of a type that cannot be described, or whose description does not compile: "
                "describe it by INFERWIRE_DESCRIBE, or INFERWIRE_DESCRIBE_WORDS, after its definition and "
                "in its namespace; instead of a map use a vector of structs, or Json (description.hpp lists "
                "what a member may be)");
  if constexpr (std::is_same_v<T, bool>) {
    return make_boolean();
  } else if constexpr (std::is_integral_v<T>) {
    return make_integer<T>();
  } else if constexpr (std::is_floating_point_v<T>) {
    return make_number<T>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    return {.kind = Shape::Kind::text};
  } else if constexpr (std::is_same_v<T, Json>) {
    return {.kind = Shape::Kind::json};
  } else if constexpr (is_vector<T>) {
    return make_list<T>();
  } else if constexpr (is_array<T>) {
    return make_array<T>();
  } else if constexpr (is_optional<T>) {
    return make_optional<T>();
  } else if constexpr (is_variant<T>) {
    return make_variant(static_cast<const T*>(nullptr));
  } else if constexpr (std::is_enum_v<T>) {
    return make_words<T>();
  } else {
    return {.kind = Shape::Kind::object,
            .name = description_of<T>.name,
            .members = members_of<T>.data(),
            .count = members_of<T>.size()};
  }
}

}  // namespace inferwire::inline v0_1::detail
