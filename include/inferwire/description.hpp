/// \file
/// Describes your program's structs and enums by their members and words. One description serves for JSON
/// schemas and for reading and writing JSON (schema.hpp), for the arguments of functions that a model calls
/// (tools.hpp) and for answers (structured_output.hpp).
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
/// The macros go after the type, in its namespace. To add information to a member, put it in parentheses with
/// a description, followed by other MemberFacts in order.
///
///     INFERWIRE_DESCRIBE(River, (name, "In English"), (km, "From the source", .minimum = 1), ends_in)
///
/// If the names in JSON differ from these, write the function that the macro defines by hand. No two members
/// of a struct, and no two words of an enum, may have the same name in JSON:
///
///     constexpr auto inferwire_description(const River*) {
///       return describe("river", member("name", &River::name, {.description = "In English"}),
///                       member("length", &River::km, {.minimum = 1, .maximum = 7000}),
///                       member("endsIn", &River::ends_in));
///     }
///     constexpr auto inferwire_description(const End*) {
///       return describe_words("end", word("the-sea", End::sea), word("a-lake", End::lake));
///     }
///
/// The instances of a template are described one by one, `INFERWIRE_DESCRIBE(Page<River>, items, next)`; a
/// type with a comma needs an alias. For private members, write `friend INFERWIRE_DESCRIBE(...)` into the
/// class.
///
/// Members may be bool, integers, float, double, std::string, Json (anything), described enums and structs,
/// and std::vector, std::array, std::variant, Optional and std::optional of these, except an optional in an
/// optional or in a variant. A struct may hold a list of its own type, or of variants with its own type;
/// declare a member of the latter kind without `{}`, since with it Clang considers the struct not
/// default-constructible.
#pragma once

#if defined(_MSVC_TRADITIONAL) && _MSVC_TRADITIONAL
#error "inferwire needs the preprocessor of the C++ standard (/Zc:preprocessor)"
#endif

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace inferwire::inline v0_1 {

/// What a schema says about a member in addition to its type. The model reads all of it, and `from_json`
/// checks the bounds.
struct MemberFacts {
  std::string_view description{};          ///< what the member means, for the model
  std::optional<double> minimum{};         ///< the smallest value of a number; finite
  std::optional<double> maximum{};         ///< the largest value of a number; finite
  std::optional<std::size_t> min_items{};  ///< the minimum number of elements in a list
  std::optional<std::size_t> max_items{};  ///< the maximum number of elements in a list
};

/// A member of a described struct.
template <class Struct, class Value>
struct DescribedMember {
  std::string_view name{};  ///< the name in JSON
  Value Struct::* place{};  ///< its pointer to member
  MemberFacts facts{};      ///< what else the schema says about it
};

/// The description of a struct: its members in JSON.
template <class... Members>
struct StructDescription {
  std::string_view name{};           ///< the name of its schemas
  std::tuple<Members...> members{};  ///< a DescribedMember for each
};

/// The description of an enum: its words.
template <class Enum, std::size_t Count>
struct WordsDescription {
  std::string_view name{};                                       ///< the name of the enum
  std::array<std::pair<std::string_view, Enum>, Count> words{};  ///< each word with its value
};

/// Describes a member by its name in JSON. Names and descriptions must remain valid after `main`, as string
/// literals do.
template <class Struct, class Value>
constexpr DescribedMember<Struct, Value> member(std::string_view name, Value Struct::* place,
                                                MemberFacts facts = {}) {
  return {name, place, facts};
}
/// Describes a struct by its members. `name`: letters, digits, "_" and "-", at most 64.
template <class... Members>
constexpr StructDescription<Members...> describe(std::string_view name, Members... members) {
  return {name, {members...}};
}
/// Describes a value of an enum by its word in JSON.
template <class Enum>
  requires std::is_enum_v<Enum>
constexpr std::pair<std::string_view, Enum> word(std::string_view name, Enum value) {
  return {name, value};
}
/// Describes an enum by the words for its values.
template <class Enum, std::same_as<std::pair<std::string_view, Enum>>... More>
constexpr WordsDescription<Enum, 1 + sizeof...(More)> describe_words(std::string_view name,
                                                                     std::pair<std::string_view, Enum> first,
                                                                     More... more) {
  return {name, {{first, more...}}};
}

}  // namespace inferwire::inline v0_1

/// \cond
// Internal to the macros: `step(type, member)` for each of up to 122 members, separated by commas.
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
// A member is a name, or `(name, description, facts...)`: if there are parentheses, INFERWIRE_COMMA is
// called.
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
#define INFERWIRE_DESCRIBED_WORD(type, name) ::inferwire::word(#name, type::name)

/// \endcond

/// Describes a struct by up to 122 members, each as `name` or `(name, "description")`; see the top of this
/// file.
#define INFERWIRE_DESCRIBE(type, ...)                                                                    \
  constexpr auto inferwire_description(const type*) {                                                    \
    return ::inferwire::describe(#type __VA_OPT__(, )                                                    \
                                     INFERWIRE_FOR_EACH(INFERWIRE_DESCRIBED_MEMBER, type, __VA_ARGS__)); \
  }
/// Describes an enum by up to 122 words.
#define INFERWIRE_DESCRIBE_WORDS(type, ...)                                                              \
  constexpr auto inferwire_description(const type*) {                                                    \
    return ::inferwire::describe_words(#type,                                                            \
                                       INFERWIRE_FOR_EACH(INFERWIRE_DESCRIBED_WORD, type, __VA_ARGS__)); \
  }
