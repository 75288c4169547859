// Lists, dictionaries, and values that may have several types.
#include "json/walk.hpp"

#include <utility>

namespace inferwire::inline v0_1::json {

Outcome Walk::only_element(ondemand::value& value, void* p, const Type& type, int depth) {
  const Outcome outcome = element(value, type.holder->open(p, 0), *type.inner, depth);
  if (outcome == Outcome::taken) shrink(p, type, 1, shelf_);
  return outcome;
}

/// Reads the only element of a list, which may be empty.
Outcome Walk::element_of_list(ondemand::value& value, void* p, const Type& type, int depth) {
  ondemand::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) return Outcome::malformed;
  Outcome outcome = Outcome::absent;
  for (auto item : array) {
    ondemand::value element;
    if (std::move(item).get(element) != simdjson::SUCCESS) return Outcome::malformed;
    if (outcome != Outcome::absent) return misfit("expected a list of one");
    outcome = this->element(element, type.holder->open(p, 0), *type.inner, depth + 1);
    if (outcome != Outcome::taken) return outcome;
  }
  return outcome;
}

namespace {

/// Whether null means an absent value of this kind.
bool is_optional(Kind kind) noexcept {
  switch (kind) {
    case Kind::opt_string:
    case Kind::opt_integer:
    case Kind::opt_number:
    case Kind::opt_boolean:
    case Kind::optional: return true;
    default: return false;
  }
}

}  // namespace

/// The element `index` of a list or dictionary that has all elements before it; nullptr if there is no room
/// for it.
void* Walk::open(void* list, std::size_t index, const Type& type) {
  if (!take_room(index, type.holder->stride)) [[unlikely]] {
    return nullptr;
  }
  if (stencil_ == nullptr || index == 0) return type.holder->open(list, index);
  const void* const before = type.holder->view(list).data;
  void* const element = type.holder->open(list, index);
  if (type.holder->view(list).data != before) stencil_->spoil();  // its members have moved
  return element;
}

Outcome Walk::array(ondemand::value& value, void* p, const Type& type, int depth) {
  if (value.raw_json_token().front() != '[') return misfit("expected array");
  ondemand::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) return Outcome::malformed;
  std::size_t size = 0;
  for (auto item : array) {
    if (item.error() != simdjson::SUCCESS) return Outcome::malformed;
    ondemand::value&& element = std::move(item).value_unsafe();
    void* const place = open(p, size, type);
    if (place == nullptr) return Outcome::malformed;
    Outcome outcome = this->element(element, place, *type.inner, depth + 1);
    if (outcome == Outcome::absent) outcome = absent_element(p, type, size);
    if (outcome != Outcome::taken) {
      return inside("[", std::to_string(size) + ']', outcome);
    }
    ++size;
  }
  shrink(p, type, size, shelf_);
  return Outcome::taken;
}

/// Handles a null in a list or a dictionary.
Outcome Walk::absent_element(void* p, const Type& type, std::size_t index) {
  if (!is_optional(type.inner->kind)) return misfit(expectation(*type.inner));
  char* const element = static_cast<char*>(type.holder->open(p, index));
  reset(element + type.holder->value_offset, nullptr, *type.inner, shelf_);
  return Outcome::taken;
}

Outcome Walk::dictionary(ondemand::value& value, void* p, const Type& type, int depth) {
  if (value.raw_json_token().front() != '{') return misfit("expected object");
  ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) return Outcome::malformed;
  std::size_t size = 0;
  for (auto item : object) {
    if (item.error() != simdjson::SUCCESS) return Outcome::malformed;
    ondemand::field&& field = std::move(item).value_unsafe();
    char* const element = static_cast<char*>(open(p, size, type));
    if (element == nullptr) return Outcome::malformed;
    std::string& name = *reinterpret_cast<std::string*>(element);
    if (!unescape(raw_key(field, field.value().raw_json_token().data()), name)) return Outcome::malformed;
    Outcome outcome =
        this->element(field.value(), element + type.holder->value_offset, *type.inner, depth + 1);
    if (outcome == Outcome::absent) outcome = absent_element(p, type, size);
    if (outcome != Outcome::taken) {
      return inside(".", name, outcome);
    }
    ++size;
  }
  shrink(p, type, size, shelf_);
  return Outcome::taken;
}

/// The kind of the first element of the list at `list`; every kind if it is empty.
std::uint8_t Walk::shape_of_first(const char* list) const noexcept {
  const char* p = list + 1;
  while (p != end_ && is_space(*p)) ++p;
  return p == end_ || *p == ']' ? any_shape : shape_of(*p);
}

Outcome Walk::either(ondemand::value& value, void* p, const Type& type, int depth, Flag flags) {
  const char* const from = value.raw_json_token().data();
  const bool is_text = reading_ == Reading::tolerant && stands_for_string(*from, flags);
  const std::uint8_t shape = is_text ? std::uint8_t{string_shape} : shape_of(*from);
  const Union& alternatives = *type.alternatives;
  unsigned choice = alternatives.count;
  for (unsigned i = 0; i < alternatives.count; ++i) {
    const Type& candidate = *alternatives.alternatives[i].type;
    if ((candidate.shapes & shape) == 0) continue;
    const bool fits = shape != list_shape || (element_shapes(candidate) & shape_of_first(from)) != 0;
    if (fits || choice == alternatives.count) choice = i;  // if no list fits, the error is that of the first
    if (fits) break;
  }
  if (choice == alternatives.count) return misfit(expectation(type));
  if (alternatives.active(p) != choice) salvage(p, type, shelf_);
  const Alternative& alternative = alternatives.alternatives[choice];
  return element(value, alternative.open(p), *alternative.type, depth, flags);
}

/// Moves to the value of the member `name` of the object at the scanner's position.
bool Walk::go_to_member(Scanner& scanner, std::string_view name) {
  if (!scanner.take('{')) return false;
  do {
    scanner.space();
    const char* const key = scanner.position();
    if (!scanner.string()) return false;
    const std::string_view quoted(key, static_cast<std::size_t>(scanner.position() - key));
    scanner.space();
    if (!scanner.take(':')) return false;
    scanner.space();
    if (quoted.substr(1, quoted.size() - 2) == name) return !scanner.at_end();
    if (!scanner.value()) return false;
    scanner.space();
  } while (scanner.take(','));
  return false;
}

/// Finds the `type` member of the object at `object`; usually it is the first.
bool Walk::find_tag(const char* object, std::string& tag, int depth) const {
  Scanner scanner({object, static_cast<std::size_t>(end_ - object)}, depth + 1);
  if (!go_to_member(scanner, "type")) return false;
  const char* const from = scanner.position();
  if (*from != '"' || !scanner.string()) return false;
  tag.clear();
  return append_unescaped(tag, {from + 1, static_cast<std::size_t>(scanner.position() - from) - 2});
}

/// Whether the object at `object` has the member that a struct of this table needs as its body.
bool Walk::has_body(const char* object, const Object& table, int depth) const {
  if (table.body.empty()) return true;
  Scanner scanner({object, static_cast<std::size_t>(end_ - object)}, depth + 1);
  return go_to_member(scanner, table.body) && *scanner.position() == '{';
}

unsigned Walk::choose(const char* from, const Union& alternatives, std::string_view untyped, int depth) {
  const unsigned unknown_one = alternatives.count - 1;
  if (*from != '{') return unknown_one;
  std::string& tag = shelf_.scratch;
  if (!find_tag(from, tag, depth)) {
    if (untyped.empty()) return alternatives.untagged;
    tag = untyped;
  }
  const auto found = alternatives.index.find(std::string_view(tag), alternatives.tags);
  if (found == Index::nothing) return unknown_one;
  const unsigned choice = alternatives.tags[found].alternative;
  const Object* const table = alternatives.alternatives[choice].type->object;
  return table == nullptr || has_body(from, *table, depth) ? choice : unknown_one;
}

Outcome Walk::tagged(ondemand::value& value, void* p, const Type& type, int depth) {
  const Union& alternatives = *type.alternatives;
  const unsigned choice = choose(value.raw_json_token().data(), alternatives, {}, depth);
  if (alternatives.active(p) != choice) salvage(p, type, shelf_);
  const Alternative& alternative = alternatives.alternatives[choice];
  return element(value, alternative.open(p), *alternative.type, depth);
}

}  // namespace inferwire::inline v0_1::json
