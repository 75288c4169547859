/// \file
/// The field table: lists a struct's members once; the codec's description of it (type.hpp) is made from
/// that.
///
/// To add a struct: make it an aggregate whose members have the names used on the wire, with `Extra extra{}`
/// as the last one; then list its members once, in declaration order, in src/wire:
///
///     template <>
///     struct Fields<chat::ImageUrl> {
///       using Self = chat::ImageUrl;
///       static constexpr Entry list[] = {
///           INFERWIRE_FIELD(url, structure | keep_empty),   // flags: see Flag
///           INFERWIRE_FIELD(detail),
///       };                                                  // `extra` is implied
///     };
///
/// Tables of nested structs come before those of the structs that contain them. A type that is a complete
/// document also needs `template const Type& describe<chat::Request>();`. It can then be decoded, encoded and
/// reset. A table with a missing, duplicate or misplaced member does not compile.
///
/// Member types: std::string, OpenEnum, std::int64_t, double, bool, Json; structs with a table;
/// std::vector<float>, read from a list of numbers or from their little-endian bytes in base64;
/// Optional, std::vector and Dictionary of these; std::variant and TextOrList, whose alternative is selected
///  - by the kind of JSON value (string, list, object), and for lists by the kind of their first element: the
///    alternatives must be of different kinds; or
///  - by tag, if the last alternative is Unknown: an object's `type` member selects among the alternatives
///    that declare `static constexpr std::string_view type`, or have a list of Tags; everything else becomes
///    Unknown.
///
/// A table may have `static bool excuse(const Self&)`: whether a struct that lacks required members is
/// nevertheless complete because of its other members.
///
/// A table with `static constexpr std::string_view nest = "function"` has two forms: the members marked
/// `in_nest` are siblings of the others (flat), or in an object of that name (nested, at any depth). Both are
/// read; the encoder's caller chooses which one is written.
#pragma once

#include "base/immortal.hpp"
#include "inferwire/dictionary.hpp"
#include "inferwire/json.hpp"
#include "inferwire/open_enum.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/text_or_list.hpp"
#include "json/type.hpp"

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace inferwire::inline v0_1::json {

/// The members of a struct; see the top of this file.
template <class T>
struct Fields;

/// The values of `type` that select T in a tagged union, for a T that stores its `type` in a member because
/// there are several, or because it may be absent. "" matches objects without one.
///
///     template <>
///     struct Tags<responses::Message> { static constexpr std::string_view list[] = {"message", ""}; };
template <class T>
struct Tags;

namespace detail {

template <class M>
constexpr Type make_type();

}  // namespace detail

template <class M>
inline constexpr Type type_of = detail::make_type<M>();

namespace detail {

template <class M>
constexpr Entry entry(std::string_view name, std::size_t offset, Flag flags = none) {
  return {Name(name), &type_of<M>, static_cast<std::uint32_t>(offset), flags};
}

/// Converts to every type: used to count the members of an aggregate.
struct Anything {
  template <class T>
  operator T() const;
};
template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), Anything{})...}; };
}
template <class T, std::size_t N>
constexpr bool has_members() {
  return takes<T>(std::make_index_sequence<N>{}) && !takes<T>(std::make_index_sequence<N + 1>{});
}

template <class T>
concept HasTable = requires { Fields<T>::list; };
template <class T>
concept HasTag = requires {
  { T::type } -> std::convertible_to<std::string_view>;
} && !requires(T value) { value.type = T::type; };
template <class T>
concept HasTags = requires { Tags<T>::list; };
template <class T>
concept HasNest = requires { Fields<T>::nest; };
template <class T>
concept HasExcuse = requires(const T& object) { Fields<T>::excuse(object); };

/// The tags of T: its list, or the one that it declares.
template <class T>
struct TagsOf {
  static constexpr std::string_view list[] = {T::type};
};
template <HasTags T>
struct TagsOf<T> : Tags<T> {};

template <class T>
struct ObjectOf {
  static constexpr const auto& list = Fields<T>::list;
  static constexpr std::size_t count = std::size(list);
  static constexpr std::size_t member_count() {
    std::size_t n = 0;
    for (const Entry& e : list) n += (e.flags & alias) == 0 ? 1U : 0U;
    return n;
  }
  static constexpr bool ascending() {
    for (std::size_t i = 1; i < count; ++i) {
      const bool same_member = (list[i].flags & alias) != 0;
      if (same_member ? list[i].offset != list[i - 1].offset : list[i].offset <= list[i - 1].offset)
        return false;
    }
    return true;
  }
  static constexpr std::uint64_t mask(Flag flag) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < count; ++i) bits |= (list[i].flags & flag) != 0 ? std::uint64_t{1} << i : 0;
    return bits;
  }
  static constexpr std::uint64_t of_kinds(std::initializer_list<Kind> kinds) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (const Kind kind : kinds) bits |= list[i].type->kind == kind ? std::uint64_t{1} << i : 0;
    }
    return bits & ~mask(alias);
  }
  static constexpr std::uint64_t optionals() {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < count; ++i) bits |= is_optional(*list[i].type) ? std::uint64_t{1} << i : 0;
    return bits & ~mask(alias);
  }
  static constexpr auto presence = [] {
    std::array<std::uint16_t, count> offsets{};
    for (std::size_t i = 0; i < count; ++i) {
      const Type& type = *list[i].type;
      if (is_optional(type)) offsets[i] = static_cast<std::uint16_t>(list[i].offset + presence_in(type));
    }
    return offsets;
  }();
  static const void* fresh() {
    static const Immortal<T> made;
    return &made.value;
  }

  static bool excused(const void* object) {
    if constexpr (HasExcuse<T>) {
      return Fields<T>::excuse(*static_cast<const T*>(object));
    } else {
      return false;
    }
  }

  // Aggregates have no virtual bases, so their members have fixed offsets, also in standard libraries where
  // not every member is of standard layout.
  static_assert(std::is_aggregate_v<T>);
  static_assert(std::is_same_v<decltype(T::extra), Extra>);
  static_assert(has_members<T, member_count() + 1>(),
                "a member of this struct is missing from its field table");
  static_assert(ascending(), "the entries of a field table stand in the order of the struct's members");
  static_assert(count <= 64, "the interpreter keeps the entries that it has seen in 64 bits");
  static_assert(sizeof(T) <= 0xFFFF, "the offsets in `presence` have 16 bits");

  static constexpr auto slots = place<slot_bits(count)>(list, count);
  static constexpr std::string_view tag() {
    if constexpr (HasTag<T>) {
      return T::type;
    } else {
      return {};
    }
  }
  static constexpr std::string_view nest() {
    if constexpr (HasNest<T>) {
      return Fields<T>::nest;
    } else {
      return {};
    }
  }
  static constexpr std::string_view body() {
    constexpr auto bits = mask(or_unknown);
    return bits == 0 ? std::string_view() : list[std::countr_zero(bits)].name.view();
  }
  static_assert(HasNest<T> == (mask(in_nest) != 0), "a nest has members, and members in a nest have one");
  static constexpr Object value{
      .entries = list,
      .count = static_cast<unsigned>(count),
      .extra_offset = static_cast<std::uint32_t>(offsetof(T, extra)),
      .members = (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) & ~mask(alias),
      .required = mask(required),
      .optionals = optionals(),
      .strings = of_kinds({Kind::string}) & ~mask(keep_empty),
      .lists = of_kinds({Kind::array, Kind::dictionary, Kind::floats, Kind::either}) & ~mask(keep_empty),
      .nulls = mask(emit_null),
      .nested = mask(in_nest),
      .presence = presence.data(),
      .nest = nest(),
      .tag = tag(),
      .body = body(),
      .index = slots.index(),
      .fresh = &fresh,
      .excuse = HasExcuse<T> ? &excused : nullptr};
};

template <class T>
struct OptionalOf {
  static void* open(void* self, std::size_t) {
    auto& optional = *static_cast<Optional<T>*>(self);
    return optional ? &*optional : &optional.emplace();
  }
  static void shrink(void* self, std::size_t size) {
    if (size == 0) static_cast<Optional<T>*>(self)->reset();
  }
  static View view(const void* self) {
    const auto& optional = *static_cast<const Optional<T>*>(self);
    return optional ? View{&*optional, 1} : View{};
  }
  static constexpr Holder value{
      .stride = sizeof(T), .value_offset = 0, .open = &open, .shrink = &shrink, .view = &view};
};

/// `offset`: that of the value in an element.
template <class E, std::size_t offset = 0>
struct VectorOf {
  static void* open(void* self, std::size_t index) {
    auto& vector = *static_cast<std::vector<E>*>(self);
    return index < vector.size() ? &vector[index] : &vector.emplace_back();
  }
  static void shrink(void* self, std::size_t size) {
    auto& vector = *static_cast<std::vector<E>*>(self);
    vector.erase(vector.begin() + static_cast<std::ptrdiff_t>(size), vector.end());
  }
  static View view(const void* self) {
    const auto& vector = *static_cast<const std::vector<E>*>(self);
    return {vector.data(), vector.size()};
  }
  static constexpr Holder value{
      .stride = sizeof(E), .value_offset = offset, .open = &open, .shrink = &shrink, .view = &view};
};

/// The tags of the alternatives of a union, in order.
template <bool Tagged, class... A>
struct TagTable {
  template <class T>
  static constexpr std::size_t tags_of() {
    if constexpr (Tagged && !std::is_same_v<T, Unknown>) {
      return std::size(TagsOf<T>::list);
    } else {
      return 0;
    }
  }
  static constexpr std::size_t most = (tags_of<A>() + ... + 1);

  Tag list[most]{};
  std::size_t count{};
  std::uint8_t untagged{sizeof...(A) - 1};

  constexpr TagTable() {
    std::uint8_t alternative = 0;
    (add<A>(alternative++), ...);
  }

 private:
  template <class T>
  constexpr void add(std::uint8_t alternative) {
    if constexpr (tags_of<T>() != 0) {
      for (const std::string_view tag : TagsOf<T>::list) {
        if (tag.empty()) {
          untagged = alternative;
        } else {
          list[count++] = {Name(tag), alternative};
        }
      }
    }
  }
};

template <class V, class... A>
struct UnionOf {
  static constexpr bool tagged = (std::is_same_v<A, Unknown> || ...);

  template <class T>
  static void* open(void* self) {
    auto& variant = *static_cast<V*>(self);
    if (T* const active = std::get_if<T>(&variant)) return active;
    return &variant.template emplace<T>();
  }
  static std::size_t active(const void* self) { return static_cast<const V*>(self)->index(); }
  static const void* view(const void* self) {
    const auto& variant = *static_cast<const V*>(self);
    const void* data = nullptr;
    const auto look = [&](const auto* alternative) {
      if (alternative != nullptr) data = alternative;
    };
    (look(std::get_if<A>(&variant)), ...);
    return data;
  }
  static void renew(void* self) { *static_cast<V*>(self) = V{}; }
  template <class T>
  static constexpr Alternative alternative() {
    static_assert(!tagged || HasTag<T> || HasTags<T> || std::is_same_v<T, Unknown>,
                  "an alternative of a tagged union declares its type, or has a list of Tags");
    return {&type_of<T>, &open<T>};
  }
  static constexpr Alternative list[sizeof...(A)] = {alternative<A>()...};
  static_assert(!tagged ||
                    std::is_same_v<std::variant_alternative_t<sizeof...(A) - 1, std::variant<A...>>, Unknown>,
                "Unknown is the last alternative");
  static constexpr auto tags = TagTable<tagged, A...>();
  static constexpr auto slots = place<slot_bits(tags.most)>(tags.list, tags.count);
  static constexpr bool kinds_differ() {
    for (std::size_t i = 0; i < sizeof...(A); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        const Type& a = *list[i].type;
        const Type& b = *list[k].type;
        const unsigned common = a.shapes & b.shapes;
        if ((common & ~unsigned{list_shape}) != 0) return false;
        if (common != 0 && (element_shapes(a) & element_shapes(b)) != 0) return false;
      }
    }
    return true;
  }
  static constexpr Union value{.alternatives = list,
                               .count = sizeof...(A),
                               .tags = tags.list,
                               .index = slots.index(),
                               .untagged = tags.untagged,
                               .active = &active,
                               .view = &view,
                               .renew = &renew};
  static constexpr std::uint8_t shapes() {
    unsigned all = 0;
    for (const Alternative& a : list) all |= a.type->shapes;
    return static_cast<std::uint8_t>(all);
  }
};

/// The handling of a kind of member type.
template <class M>
struct Family;
template <class T>
struct Family<Optional<T>> {
  static constexpr Type type() {
    constexpr Kind kind = std::is_same_v<T, std::string>    ? Kind::opt_string
                          : std::is_same_v<T, std::int64_t> ? Kind::opt_integer
                          : std::is_same_v<T, double>       ? Kind::opt_number
                          : std::is_same_v<T, bool>         ? Kind::opt_boolean
                                                            : Kind::optional;
    return {kind, type_of<T>.shapes, &type_of<T>, &OptionalOf<T>::value};
  }
};
template <class T>
struct Family<std::vector<T>> {
  static constexpr Type type() { return {Kind::array, list_shape, &type_of<T>, &VectorOf<T>::value}; }
};
template <class T>
struct Family<std::vector<Named<T>>> {
  static_assert(offsetof(Named<T>, name) == 0);
  static constexpr Type type() {
    return {Kind::dictionary, object_shape, &type_of<T>,
            &VectorOf<Named<T>, offsetof(Named<T>, value)>::value};
  }
};
template <class V, class... A>
struct FamilyOfUnion {
  using U = UnionOf<V, A...>;
  static constexpr Type type() {
    if constexpr (U::tagged) {
      return {Kind::tagged, any_shape, nullptr, nullptr, nullptr, &U::value};
    } else {
      static_assert(U::kinds_differ(),
                    "alternatives that are read from the same kind of JSON value need a tag");
      return {Kind::either, U::shapes(), nullptr, nullptr, nullptr, &U::value};
    }
  }
};
template <class... A>
struct Family<std::variant<A...>> : FamilyOfUnion<std::variant<A...>, A...> {};
template <class Element, class... Others>
struct Family<TextOrList<Element, Others...>>
    : FamilyOfUnion<TextOrList<Element, Others...>, std::string, std::vector<Element>, Others...> {};
template <class Words>
struct Family<OpenEnum<Words>> {
  static_assert(sizeof(OpenEnum<Words>) == sizeof(std::string));
  static constexpr Type type() { return {Kind::string, string_shape}; }
};

template <class M>
constexpr Type make_type() {
  if constexpr (std::is_same_v<M, std::string>) {
    return {Kind::string, string_shape};
  } else if constexpr (std::is_same_v<M, std::int64_t>) {
    return {Kind::integer, number_shape};
  } else if constexpr (std::is_same_v<M, double>) {
    return {Kind::number, number_shape};
  } else if constexpr (std::is_same_v<M, bool>) {
    return {Kind::boolean, bool_shape};
  } else if constexpr (std::is_same_v<M, std::vector<float>>) {
    return {Kind::floats, list_shape | string_shape};
  } else if constexpr (std::is_same_v<M, Json>) {
    return {Kind::json, any_shape};
  } else if constexpr (std::is_same_v<M, Unknown>) {
    static_assert(sizeof(Unknown) == sizeof(Json));
    return {Kind::json, 0};
  } else if constexpr (HasTable<M>) {
    return {Kind::object, object_shape, nullptr, nullptr, &ObjectOf<M>::value};
  } else {
    return Family<M>::type();
  }
}

}  // namespace detail

/// Instantiated for whole documents by the sources that contain the tables.
template <class T>
const Type& describe() {
  return type_of<T>;
}

#define INFERWIRE_FIELD(member, ...)                        \
  ::inferwire::json::detail::entry<decltype(Self::member)>( \
      #member, offsetof(Self, member) __VA_OPT__(, ) __VA_ARGS__)
#define INFERWIRE_ALIAS(member, spelling)                                                    \
  ::inferwire::json::detail::entry<decltype(Self::member)>(spelling, offsetof(Self, member), \
                                                           ::inferwire::json::alias)

}  // namespace inferwire::inline v0_1::json
