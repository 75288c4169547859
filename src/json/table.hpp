/// \file
/// The field table: what the codec knows of a C++ type, as plain data that one interpreter walks.
///
/// To add a struct: make it an aggregate whose members carry the wire's names, with `Extra extra{}` as the
/// last one; then list its members once, in the order in which it declares them, in src/wire:
///
///     template <>
///     struct Fields<chat::ImageUrl> {
///       using Self = chat::ImageUrl;
///       static constexpr Entry list[] = {
///           INFERWIRE_FIELD(url, structure | keep_empty),   // flags: see Flag
///           INFERWIRE_FIELD(detail),
///       };                                                  // `extra` is understood
///     };
///
/// Tables of inner structs come before those that hold them. A type that is a whole document also gets
/// `template <> const Type& describe<chat::Request>() { return type_of<chat::Request>; }`. That is all: it
/// can be decoded, encoded, reset. A member that is forgotten, doubled or out of order does not compile.
///
/// Member types: std::string, OpenEnum, std::int64_t, double, bool, Json; structs with a table;
/// std::vector<float>, read from a list of numbers or from their little-endian bytes in base64;
/// Optional, std::vector and Dictionary of these; std::variant, which is either
///  - picked by the kind of JSON value (string, list, object), and of lists by the kind of their first
///  element:
///    the alternatives are of different kinds; or
///  - tagged, when its last alternative is Unknown: objects are picked by their `type` member among
///  alternatives
///    that declare `static constexpr std::string_view type`, or have a list of Tags; all else becomes
///    Unknown.
///
/// A table may have `static bool excuse(const Self&)`: whether a struct that lacks what is required is none
/// the less whole, by what else it holds.
///
/// A table with `static constexpr std::string_view nest = "function"` has two spellings: the members marked
/// `in_nest` stand beside the others (flat), or in an object of that name (nested, at any depth). Both are
/// read; which one is written is for the encoder's caller to say.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "inferwire/dictionary.hpp"
#include "inferwire/json.hpp"
#include "inferwire/open_enum.hpp"
#include "inferwire/optional.hpp"

namespace inferwire::inline v0_1::json {

/// What is special about a member.
enum Flag : std::uint16_t {
  none = 0,
  required = 1,      ///< its absence is a decode error; implies structure
  structure = 2,     ///< carries the answer: a wrong type is an error in tolerant reading too
  keep_empty = 4,    ///< written even when it is an empty string or list
  emit_null = 8,     ///< written as null when it is absent
  object_text = 16,  ///< a string that some servers send as an object: the object's text is taken
  alias = 32,        ///< a second spelling of the member listed before it: read, never written
  or_one = 64,       ///< a list of objects that some servers send as its only object
  in_nest = 128,     ///< in the nested spelling it stands inside the object that `nest` names
  or_list = 256,     ///< an optional object that some servers send as a list of it alone
  or_number = 512,   ///< a string that some servers send as a number: the number's text is taken
  partial = 1024,    ///< an object that may lack what its own table requires
};
constexpr Flag operator|(Flag a, Flag b) noexcept {
  return static_cast<Flag>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

/// A name in a form that compares in a few instructions: its first eight bytes, its last eight, and eight
/// from the middle.
struct Name {
  std::uint64_t first{};
  std::uint64_t first_mask{};  ///< the bytes of a word that `first` has
  std::uint64_t middle{};
  std::uint64_t last{};
  const char* text{};
  std::size_t size{};

  constexpr Name() = default;
  constexpr Name(std::string_view name) : text(name.data()), size(name.size()) {
    first = pack(text, size < 8 ? size : 8);
    first_mask = size < 8 ? (std::uint64_t{1} << (8 * size)) - 1 : ~std::uint64_t{0};
    if (size >= 8) last = pack(text + size - 8, 8);
    if (size > 16) middle = pack(text + (size - 8) / 2, 8);
  }
  /// The same of a name that is found in a document; reads eight bytes at `p` whatever the size.
  static Name in_document(const char* p, std::size_t size) noexcept {
    static_assert(std::endian::native == std::endian::little);
    Name name;
    name.text = p;
    name.size = size;
    std::memcpy(&name.first, p, 8);
    if (size < 8) {
      name.first &= (std::uint64_t{1} << (8 * size)) - 1;
      return name;
    }
    std::memcpy(&name.last, p + size - 8, 8);
    if (size > 16) std::memcpy(&name.middle, p + (size - 8) / 2, 8);
    return name;
  }

  /// Whether a document has this name, up to its closing quote, at `p`; reads eight bytes there whatever the
  /// size.
  bool is_key_at(const char* p) const noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, p, 8);
    if ((word & first_mask) != first || p[size] != '"') return false;
    if (size < 8) return true;
    std::memcpy(&word, p + size - 8, 8);
    return word == last && (size <= 16 || std::memcmp(p, text, size) == 0);
  }

  constexpr std::string_view view() const noexcept { return {text, size}; }
  constexpr std::uint64_t hash(std::uint64_t multiplier, unsigned shift) const noexcept {
    return ((first ^ std::rotl(last, 29) ^ std::rotl(middle, 47) ^ size) * multiplier) >> shift;
  }
  bool same(const Name& other) const noexcept {
    const bool likely =
        ((first ^ other.first) | (middle ^ other.middle) | (last ^ other.last) | (size ^ other.size)) == 0;
    return likely && (size <= 24 || std::memcmp(text, other.text, size) == 0);
  }

 private:
  static constexpr std::uint64_t pack(const char* p, std::size_t n) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < n; ++i) {
      word |= std::uint64_t{static_cast<unsigned char>(p[i])} << (8 * i);
    }
    return word;
  }
};

/// A perfect hash of names, found at compile time.
struct Index {
  std::uint64_t multiplier{};
  unsigned shift{};
  const std::uint8_t* slots{};
  static constexpr std::uint8_t nothing = 255;

  std::uint8_t find(const Name& name) const noexcept { return slots[name.hash(multiplier, shift)]; }
};

/// The kinds of JSON values, as a set.
enum Shape : std::uint8_t {
  string_shape = 1,
  number_shape = 2,
  bool_shape = 4,
  list_shape = 8,
  object_shape = 16
};

/// How the codec treats a C++ type. Kinds up to opt_boolean are leaves.
enum class Kind : std::uint8_t {
  string,  // std::string and OpenEnum
  integer,
  number,
  boolean,
  opt_string,  // Optional of these, but for OpenEnum
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

/// Elements that lie one behind the other.
struct View {
  const void* data{};
  std::size_t size{};
};

/// What holds a changing number of values: Optional (none or one), std::vector.
struct Holder {
  std::size_t stride;                            ///< bytes from one element to the next
  std::size_t value_offset;                      ///< where in an element the value is; not 0 in a Dictionary
  void* (*open)(void* self, std::size_t index);  ///< the element at `index`, made at the end if it is missing
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
  std::uint64_t members{};      ///< the entries that are not aliases, by bit
  std::uint64_t required{};     ///< the entries that must be there, by bit
  std::uint64_t opt_strings{};  ///< the optional strings, by bit
  std::uint64_t holders{};  ///< all other optionals whose absence is an empty holder, lists and dictionaries
  std::uint64_t opt_scalars{};  ///< the optional numbers and booleans, by bit
  std::uint64_t strings{};      ///< the plain strings that are not written when they are empty, by bit
  std::uint64_t others{};       ///< the lists of floats and the unions that are picked by kind, by bit
  std::uint64_t kept{};         ///< the entries that are written though they are empty, by bit
  std::uint64_t nulls{};        ///< the entries that are written as null when they are absent, by bit
  std::uint64_t nested{};       ///< the members that stand inside `nest` in the nested spelling
  std::string_view nest{};      ///< the name of that object; empty: there is no such spelling
  std::string_view tag{};       ///< the value of the object's `type` member where the struct does not hold it
  Index index{};
  const void* (*fresh)(){};              ///< a default-made struct
  bool (*excuse)(const void* object){};  ///< whether it is whole without what is required; nullptr: never
};

struct Alternative {
  const Type* type{};
  void* (*open)(void* self){};  ///< the alternative, made if another one is active
};

/// A value of `type` that picks an alternative.
struct Tag {
  Name name{};
  std::uint8_t alternative{};
};

struct Union {
  const Alternative* alternatives{};
  unsigned count{};
  const Tag* tags{};                     ///< none in a union that is not tagged
  Index index{};                         ///< of tags
  std::uint8_t untagged{};               ///< the alternative of objects without a `type`
  std::size_t (*active)(const void*){};  ///< which alternative
  const void* (*view)(const void*){};    ///< the active one
  void (*renew)(void*){};                ///< back to a default-made union
};

struct Type {
  Kind kind{};
  std::uint8_t shapes{};        ///< the kinds of JSON value that it is read from
  const Type* inner{};          ///< optional, array, dictionary: of what
  const Holder* holder{};       ///< optional, array, dictionary
  const Object* object{};       ///< object
  const Union* alternatives{};  ///< either, tagged
};

/// The members of a struct: see the top of this file.
template <class T>
struct Fields;

/// The values of `type` that pick T in a tagged union, for a T that keeps its `type` in a member, because it
/// goes by several or may come without. "" stands for objects that have none.
///
///     template <>
///     struct Tags<responses::Message> { static constexpr std::string_view list[] = {"message", ""}; };
template <class T>
struct Tags;

/// The descriptor of a whole document.
template <class T>
const Type& describe();

/// The kinds of JSON value that the elements of a list have.
constexpr std::uint8_t element_shapes(const Type& type) noexcept {
  if (type.kind == Kind::floats) return number_shape;
  return type.kind == Kind::array ? type.inner->shapes : 31;
}

/// Whether the struct that `type` describes has a member of this name.
inline bool has_member(const Type& type, std::string_view name) noexcept {
  for (unsigned i = 0; i < type.object->count; ++i) {
    if (type.object->entries[i].name.view() == name) return true;
  }
  return false;
}

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

/// Converts to everything: counts the members of an aggregate.
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

/// The tags of T: those that it lists, or the one that it declares.
template <class T>
struct TagsOf {
  static constexpr std::string_view list[] = {T::type};
};
template <HasTags T>
struct TagsOf<T> : Tags<T> {};

constexpr unsigned slot_bits(std::size_t names) {
  unsigned bits = 2;
  while ((std::size_t{1} << bits) < names * names / 3 && bits < 9) ++bits;
  return bits;
}

template <unsigned Bits>
struct Slots {
  std::uint64_t multiplier{};
  std::uint8_t slots[std::size_t{1} << Bits]{};
};

/// Tries multipliers until no two names share a slot. Doubled names never succeed: not a constant expression.
template <unsigned Bits, std::size_t N>
constexpr Slots<Bits> place(const Name (&names)[N], std::size_t count) {
  std::uint64_t seed = 0x9e3779b97f4a7c15;
  for (int tries = 0; tries < 100000; ++tries) {
    seed ^= seed << 13U;
    seed ^= seed >> 7U;
    seed ^= seed << 17U;
    Slots<Bits> out;
    out.multiplier = seed | 1U;
    for (auto& slot : out.slots) slot = Index::nothing;
    bool fits = true;
    for (std::size_t i = 0; i < count && fits; ++i) {
      auto& slot = out.slots[names[i].hash(out.multiplier, 64 - Bits)];
      fits = slot == Index::nothing;
      slot = static_cast<std::uint8_t>(i);
    }
    if (fits) return out;
  }
  throw "two entries of a table have the same name";
}

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
  static constexpr std::uint64_t kinds(bool (*wanted)(Kind)) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < count; ++i) bits |= wanted(list[i].type->kind) ? std::uint64_t{1} << i : 0;
    return bits & ~mask(alias);
  }
  static constexpr bool is_opt_string(Kind kind) { return kind == Kind::opt_string; }
  static constexpr bool is_opt_scalar(Kind kind) {
    return kind == Kind::opt_integer || kind == Kind::opt_number || kind == Kind::opt_boolean;
  }
  static constexpr bool is_string(Kind kind) { return kind == Kind::string; }
  static constexpr bool is_other(Kind kind) { return kind == Kind::floats || kind == Kind::either; }
  static constexpr bool is_holder(Kind kind) {
    return kind == Kind::optional || kind == Kind::array || kind == Kind::dictionary;
  }
  static constexpr auto placed() {
    Name names[count]{};
    for (std::size_t i = 0; i < count; ++i) names[i] = list[i].name;
    return place<slot_bits(count)>(names, count);
  }
  static const void* fresh() {
    static const T made{};
    return &made;
  }

  static bool excused(const void* object) {
    if constexpr (HasExcuse<T>) {
      return Fields<T>::excuse(*static_cast<const T*>(object));
    } else {
      return false;
    }
  }

  static_assert(std::is_aggregate_v<T> && std::is_standard_layout_v<T>);
  static_assert(std::is_same_v<decltype(T::extra), Extra>);
  static_assert(has_members<T, member_count() + 1>(),
                "a member of this struct is missing from its field table");
  static_assert(ascending(), "the entries of a field table stand in the order of the struct's members");
  static_assert(count <= 64, "the interpreter keeps the entries that it has seen in 64 bits");

  static constexpr auto slots = placed();
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
  static_assert(HasNest<T> == (mask(in_nest) != 0), "a nest has members, and members in a nest have one");
  static constexpr Object value{
      .entries = list,
      .count = static_cast<unsigned>(count),
      .extra_offset = static_cast<std::uint32_t>(offsetof(T, extra)),
      .members = (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) & ~mask(alias),
      .required = mask(required),
      .opt_strings = kinds(&is_opt_string),
      .holders = kinds(&is_holder),
      .opt_scalars = kinds(&is_opt_scalar),
      .strings = kinds(&is_string) & ~mask(keep_empty),
      .others = kinds(&is_other),
      .kept = mask(keep_empty),
      .nulls = mask(emit_null),
      .nested = mask(in_nest),
      .nest = nest(),
      .tag = tag(),
      .index = {.multiplier = slots.multiplier, .shift = 64 - slot_bits(count), .slots = slots.slots},
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

template <class E>
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
};
template <class T>
inline constexpr Holder array_holder{.stride = sizeof(T),
                                     .value_offset = 0,
                                     .open = &VectorOf<T>::open,
                                     .shrink = &VectorOf<T>::shrink,
                                     .view = &VectorOf<T>::view};
template <class T>
inline constexpr Holder dictionary_holder{.stride = sizeof(Named<T>),
                                          .value_offset = offsetof(Named<T>, value),
                                          .open = &VectorOf<Named<T>>::open,
                                          .shrink = &VectorOf<Named<T>>::shrink,
                                          .view = &VectorOf<Named<T>>::view};

/// The tags of the alternatives of a union, in their order.
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
  static_assert(!tagged || std::is_same_v<std::variant_alternative_t<sizeof...(A) - 1, V>, Unknown>,
                "Unknown is the last alternative");
  static constexpr auto tags = TagTable<tagged, A...>();
  static constexpr auto placed() {
    Name names[tags.most]{};
    for (std::size_t i = 0; i < tags.count; ++i) names[i] = tags.list[i].name;
    return place<slot_bits(tags.most)>(names, tags.count);
  }
  static constexpr auto slots = placed();
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
  static constexpr Union value{
      .alternatives = list,
      .count = sizeof...(A),
      .tags = tags.list,
      .index = {.multiplier = slots.multiplier, .shift = 64 - slot_bits(tags.most), .slots = slots.slots},
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

/// Which family a member type belongs to.
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
  static constexpr Type type() { return {Kind::array, list_shape, &type_of<T>, &array_holder<T>}; }
};
template <class T>
struct Family<std::vector<Named<T>>> {
  static_assert(offsetof(Named<T>, name) == 0);
  static constexpr Type type() {
    return {Kind::dictionary, object_shape, &type_of<T>, &dictionary_holder<T>};
  }
};
template <class... A>
struct Family<std::variant<A...>> {
  using U = UnionOf<std::variant<A...>, A...>;
  static constexpr Type type() {
    constexpr std::uint8_t everything = 31;
    if constexpr (U::tagged) {
      return {Kind::tagged, everything, nullptr, nullptr, nullptr, &U::value};
    } else {
      static_assert(U::kinds_differ(),
                    "alternatives that are read from the same kind of JSON value need a tag");
      return {Kind::either, U::shapes(), nullptr, nullptr, nullptr, &U::value};
    }
  }
};
template <class Words>
struct Family<OpenEnum<Words>> {
  static_assert(std::is_standard_layout_v<OpenEnum<Words>> && sizeof(OpenEnum<Words>) == sizeof(std::string));
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
    return {Kind::json, 31};
  } else if constexpr (std::is_same_v<M, Unknown>) {
    static_assert(std::is_standard_layout_v<Unknown> && sizeof(Unknown) == sizeof(Json));
    return {Kind::json, 0};
  } else if constexpr (HasTable<M>) {
    return {Kind::object, object_shape, nullptr, nullptr, &ObjectOf<M>::value};
  } else {
    return Family<M>::type();
  }
}

}  // namespace detail

#define INFERWIRE_FIELD(member, ...)                        \
  ::inferwire::json::detail::entry<decltype(Self::member)>( \
      #member, offsetof(Self, member) __VA_OPT__(, ) __VA_ARGS__)
#define INFERWIRE_ALIAS(member, spelling)                                                    \
  ::inferwire::json::detail::entry<decltype(Self::member)>(spelling, offsetof(Self, member), \
                                                           ::inferwire::json::alias)

}  // namespace inferwire::inline v0_1::json
