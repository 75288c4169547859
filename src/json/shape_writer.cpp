// Writes described structs as JSON.
#include "base/decimal.hpp"
#include "inferwire/schema.hpp"
#include "json/codec.hpp"
#include "json/place.hpp"
#include "json/text.hpp"

#include <cmath>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::detail {
namespace {

using Kind = Shape::Kind;

std::string print(WholeNumber number) {
  return (number.negative ? "-" : "") + std::to_string(number.magnitude);
}

/// Writes a value as JSON.
class ShapeWriter {
 public:
  ShapeWriter(std::string& out, Error& error) : out_(out), error_(error) {}

  bool write(const Shape& shape, const void* from, const json::Place& place) {
    switch (shape.kind) {
      case Kind::boolean: return out_ += *static_cast<const bool*>(from) ? "true" : "false", true;
      case Kind::integer: return out_ += print(shape.whole(from)), true;
      case Kind::number: {
        const double value = shape.number(from);
        if (!std::isfinite(value)) return fail(place, "the number is none that JSON knows");
        return out_ += shape.is_float ? print_decimal(static_cast<float>(value)) : print_decimal(value), true;
      }
      case Kind::text: return text(*static_cast<const std::string*>(from), place);
      case Kind::json: {
        const auto& json = static_cast<const Json*>(from)->text();
        const bool has_mark = json::without_byte_order_mark(json).size() != json.size();
        if (has_mark || !json::check(json)) return fail(place, "the text is not JSON");
        return out_ += json, true;
      }
      case Kind::word: {
        const auto word = static_cast<std::size_t>(shape.whole(from).magnitude);
        if (word >= shape.count) return fail(place, "the value has no word");
        return text(shape.word(word), place);
      }
      case Kind::object: return object(shape, from, place);
      case Kind::list: break;
      case Kind::variant: return variant(shape, from, place);
      case Kind::optional:
        if (shape.size(from) == 0) return out_ += "null", true;
        return write(*shape.inner, shape.at(from, 0), place);
    }
    out_ += '[';
    for (std::size_t i = 0; i < shape.size(from); ++i) {
      if (i > 0) out_ += ',';
      if (!write(*shape.inner, shape.at(from, i), place.element(i))) return false;
    }
    return out_ += ']', true;
  }

 private:
  bool fail(const json::Place& place, std::string detail) {
    error_ = Error{.kind = ErrorKind::invalid_request, .detail = std::move(detail), .path = place.text()};
    return false;
  }
  bool text(std::string_view value, const json::Place& place) {
    return json::append_quoted(out_, value) || fail(place, "the text is not UTF-8");
  }
  bool variant(const Shape& shape, const void* from, const json::Place& place) {
    for (std::size_t i = 0; i < shape.count; ++i) {
      if (const void* const value = shape.at(from, i)) return write(*shape.alternatives[i], value, place);
    }
    return fail(place, "the variant holds nothing");
  }
  bool object(const Shape& shape, const void* from, const json::Place& place) {
    out_ += '{';
    for (std::size_t i = 0; i < shape.count; ++i) {
      const auto& member = shape.members[i];
      // The value is only read.
      const void* const value = member.in(const_cast<void*>(from));
      if (member.shape->kind == Kind::optional && member.shape->size(value) == 0) continue;
      json::append_name(out_, member.name);
      if (!write(*member.shape, value, place.member(member.name))) return false;
    }
    return out_ += '}', true;
  }

  std::string& out_;
  Error& error_;
};

}  // namespace

Result<Json> write_shape(const Shape& shape, const void* value) {
  std::string text;
  Error error;
  if (!ShapeWriter(text, error).write(shape, value, json::Place())) return error;
  return Json::raw(std::move(text));
}

}  // namespace inferwire::inline v0_1::detail
