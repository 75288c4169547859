/// \file
/// The decoder's walk: one interpreter that reads a document with simdjson On-Demand, according to the table
/// of a type.
///
/// On-Demand checks only what is read. Reading is nevertheless strict:
/// - stage 1 checks UTF-8, control characters in strings and closed quotes for the whole document;
/// - scalars are taken from their token, and `followed_properly` ensures that the token is the end of a
///   value;
/// - the Scanner walks over what is skipped or kept raw, and On-Demand then skips the same extent;
/// - a value with the wrong type is left before On-Demand is asked for it, so that On-Demand only reports
///   broken documents; such an error ends the walk, because the iterator is unusable after it.
#pragma once

#include "json/codec.hpp"
#include "json/reuse.hpp"
#include "json/stencil.hpp"
#include "json/type.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::json {

namespace ondemand = simdjson::ondemand;

/// The result of reading one value.
enum class Outcome : std::uint8_t {
  taken,
  absent,     // null
  misfit,     // wrong type or out of range; On-Demand may be anywhere inside the value
  malformed,  // not JSON: the walk is over
};

constexpr std::uint8_t shape_of(char first) noexcept {
  switch (first) {
    case '"': return string_shape;
    case '{': return object_shape;
    case '[': return list_shape;
    case 't':
    case 'f': return bool_shape;
    default: return number_shape;
  }
}

constexpr const char* expectation(const Type& type) noexcept {
  switch (type.kind) {
    case Kind::string:
    case Kind::opt_string: return "expected string";
    case Kind::integer:
    case Kind::opt_integer: return "expected integer";
    case Kind::number:
    case Kind::opt_number: return "expected number";
    case Kind::boolean:
    case Kind::opt_boolean: return "expected boolean";
    case Kind::array: return "expected array";
    case Kind::floats: return "expected array of numbers";
    case Kind::object:
    case Kind::dictionary: return "expected object";
    case Kind::optional: return expectation(*type.inner);
    case Kind::either: {
      const unsigned shapes = type.shapes;
      if (shapes == (string_shape | list_shape)) return "expected string or array";
      if (shapes == (string_shape | object_shape)) return "expected string or object";
      if (shapes == (list_shape | object_shape)) return "expected array or object";
      return "expected another type";
    }
    case Kind::json:
    case Kind::tagged: break;
  }
  return "expected a value";
}

/// The state of reading one document.
class Walk {
 public:
  /// `stencil`, if not null, receives the holes that the next document may fill.
  Walk(std::string_view text, Reading reading, Shelf& shelf, Stencil* stencil)
      : end_(text.data() + text.size()),
        room_(least_room + room_per_byte * static_cast<std::int64_t>(text.size())),
        reading_(reading),
        shelf_(shelf),
        stencil_(stencil) {}

  Outcome object(ondemand::object& object, void* p, const Object& table, int depth, Flag flags = none);
  Outcome element(ondemand::value& value, void* p, const Type& type, int depth, Flag flags = none);
  /// The index of the alternative for the object at `from`; `untyped` names it if the object has no `type`.
  unsigned choose(const char* from, const Union& alternatives, std::string_view untyped, int depth);

  const std::string& path() const noexcept { return path_; }
  const char* misfit() const noexcept { return misfit_; }
  /// Whether lists would take far more memory than the document itself.
  bool out_of_room() const noexcept { return room_ < 0; }

 private:
  // The memory allowed for lists, dictionaries and unknown members: `{},` must not become a struct of
  // hundreds of bytes millions of times. A short message has 30 bytes, its struct 600, and the list that just
  // grew for it has room for twice as many.
  static constexpr std::int64_t least_room = 1 << 20;
  static constexpr std::int64_t room_per_byte = 40;

  Outcome value(ondemand::value& value, std::string_view token, void* p, const Type& type, Flag flags,
                int depth);
  /// A struct of the caller's that is being read, and what was read of it so far.
  struct Progress {
    char* base;
    const Object& table;
    std::uint64_t seen{};        // members that have a value
    std::uint64_t aliased{};     // members that got it from their second spelling
    std::uint64_t remembered{};  // members that are recorded in `extra`
    std::size_t kept{};          // members of `extra`

    Extra& extra() const noexcept { return *reinterpret_cast<Extra*>(base + table.extra_offset); }
  };
  Outcome members(ondemand::object& object, Progress& progress, int depth);
  Outcome member(ondemand::field& field, std::string_view token, unsigned index, Progress& progress,
                 int depth);
  Outcome stray(ondemand::field& field, std::string_view token, Progress& progress, int depth);
  Outcome nest(ondemand::value& value, Progress& progress, int depth);
  Outcome finish(char* base, const Object& table, std::uint64_t missing, std::uint64_t required);
  Outcome lacks(const Object& table, std::uint64_t lacking);
  Outcome compound(ondemand::value& value, void* p, const Type& type, Flag flags, int depth);
  Outcome string(ondemand::value& value, std::string_view token, std::string& out);
  Outcome integer(ondemand::value& value, std::int64_t& out);
  Outcome number(ondemand::value& value, double& out);
  Outcome boolean(ondemand::value& value, bool& out);
  Outcome floats(ondemand::value& value, std::vector<float>& out);
  Outcome floats_in_base64(ondemand::value& value, std::vector<float>& out);
  Outcome array(ondemand::value& value, void* p, const Type& type, int depth);
  Outcome absent_element(void* p, const Type& type, std::size_t index);
  Outcome element_of_list(ondemand::value& value, void* p, const Type& type, int depth);
  Outcome only_element(ondemand::value& value, void* p, const Type& type, int depth);
  Outcome dictionary(ondemand::value& value, void* p, const Type& type, int depth);
  /// Whether the text of a value that begins with `first` is used as the value of a string member.
  bool stands_for_string(char first, Flag flags) const noexcept {
    if (first == '{') return (flags & object_text) != 0;
    return (flags & or_number) != 0 && shape_of(first) == number_shape && reading_ == Reading::tolerant;
  }
  Outcome either(ondemand::value& value, void* p, const Type& type, int depth, Flag flags);
  Outcome tagged(ondemand::value& value, void* p, const Type& type, int depth);
  Outcome raw(const char* from, std::string& out, int depth);
  Outcome keep(Extra& extra, std::size_t& kept, std::string_view raw_key, const char* from, int depth);

  static constexpr unsigned unknown = Index::nothing;
  unsigned find(const Object& table, std::string_view key, const Name& name, bool& broken);
  std::uint8_t shape_of_first(const char* list) const noexcept;
  static bool go_to_member(Scanner& scanner, std::string_view name);
  bool find_tag(const char* object, std::string& tag, int depth) const;
  bool has_body(const char* object, const Object& table, int depth) const;
  bool unescape(std::string_view raw, std::string& out);

  /// Adds a step to the path while returning from a failure. Kept out of the code that runs for every member.
  [[gnu::noinline, gnu::cold]] Outcome inside(std::string_view mark, std::string_view step, Outcome outcome) {
    path_.insert(0, step);
    path_.insert(0, mark);
    return outcome;
  }
  Outcome misfit(const char* what) noexcept {
    misfit_ = what;
    spoil_stencil();  // part of what was reported is now kept raw
    return Outcome::misfit;
  }

  void spoil_stencil() noexcept {
    if (stencil_ != nullptr) stencil_->spoil();
  }
  void* open(void* list, std::size_t index, const Type& type);
  /// Takes room for the element `index` of a vector, whose capacity doubles whenever it is full. False if
  /// there is none.
  bool take_room(std::size_t index, std::size_t element_size) noexcept {
    if ((index & (index - 1)) != 0) return true;
    room_ -= static_cast<std::int64_t>(std::max<std::size_t>(index, 1) * element_size);
    return room_ >= 0;
  }

  const char* end_;
  std::int64_t room_;  // bytes
  Reading reading_;
  Shelf& shelf_;
  Stencil* stencil_;
  std::string path_;  // the path of the error, built from its end while the walk unwinds
  const char* misfit_ = nullptr;
};

/// Whether a scalar's token, including spaces after it, is followed by a valid delimiter.
inline bool followed_properly(std::string_view token) noexcept {
  const char next = token.data()[token.size()];
  return next == ',' || next == '}' || next == ']';
}

inline std::string_view without_space(std::string_view token) noexcept {
  while (!token.empty() && is_space(token.back())) token.remove_suffix(1);
  return token;
}

/// The key between its quotes, as written. On-Demand knows its beginning; it ends before the colon that
/// precedes the value.
inline std::string_view raw_key(ondemand::field& field, const char* value) noexcept {
  const char* const begin = field.key().raw();
  const char* end = value - 1;
  while (*end != ':') --end;
  do --end;
  while (*end != '"');
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace inferwire::inline v0_1::json
