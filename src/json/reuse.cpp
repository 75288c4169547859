#include "json/reuse.hpp"

#include "json/access.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace inferwire::inline v0_1::json {
namespace {

constexpr std::size_t shelf_strings = 256;
constexpr std::size_t shelf_string_size = 4096;  // longer ones are rare and would only tie up memory

}  // namespace

void Shelf::keep(std::string& text) {
  const bool on_heap = text.capacity() > std::string().capacity();
  if (on_heap && text.capacity() <= shelf_string_size && strings_.size() < shelf_strings) {
    strings_.push_back(std::move(text));
  }
}

void Shelf::fetch(std::string& out, std::size_t size) {
  const auto fits = std::find_if(strings_.rbegin(), strings_.rend(),
                                 [size](const std::string& text) { return text.capacity() >= size; });
  if (fits == strings_.rend()) return;
  std::swap(out, *fits);
  if (fits->capacity() <= std::string().capacity()) {
    std::swap(*fits, strings_.back());
    strings_.pop_back();
  }
}

void shrink(Extra& extra, std::size_t size, Shelf& shelf) {
  auto& members = Access::members(extra);
  if (members.size() <= size) return;
  for (std::size_t i = size; i < members.size(); ++i) {
    shelf.keep(members[i].name);
    shelf.keep(Access::text(members[i].value));
  }
  members.resize(size);
}

void shrink(void* p, const Type& type, std::size_t size, Shelf& shelf) {
  const View view = type.holder->view(p);
  if (view.size <= size) return;
  char* element = static_cast<char*>(const_cast<void*>(view.data)) + size * type.holder->stride;
  for (std::size_t i = size; i < view.size; ++i, element += type.holder->stride) {
    if (type.kind == Kind::dictionary) shelf.keep(*reinterpret_cast<std::string*>(element));
    salvage(element + type.holder->value_offset, *type.inner, shelf);
  }
  type.holder->shrink(p, size);
}

void salvage(void* p, const Type& type, Shelf& shelf) {
  switch (type.kind) {
    case Kind::string: shelf.keep(*static_cast<std::string*>(p)); return;
    case Kind::json: shelf.keep(Access::text(*static_cast<Json*>(p))); return;
    case Kind::opt_string:
    case Kind::optional:
    case Kind::array:
    case Kind::dictionary: shrink(p, type, 0, shelf); return;
    case Kind::object: {
      char* const base = static_cast<char*>(p);
      for (unsigned i = 0; i < type.object->count; ++i) {
        const Entry& entry = type.object->entries[i];
        salvage(base + entry.offset, *entry.type, shelf);
      }
      shrink(*reinterpret_cast<Extra*>(base + type.object->extra_offset), 0, shelf);
      return;
    }
    case Kind::either:
    case Kind::tagged: {
      const Union& alternatives = *type.alternatives;
      const std::size_t active = alternatives.active(p);
      if (active >= alternatives.count) return;
      salvage(const_cast<void*>(alternatives.view(p)), *alternatives.alternatives[active].type, shelf);
      return;
    }
    default: return;
  }
}

void reset(void* p, const void* fresh, const Type& type, Shelf& shelf) {
  switch (type.kind) {
    case Kind::string: *static_cast<std::string*>(p) = *static_cast<const std::string*>(fresh); return;
    case Kind::integer: *static_cast<std::int64_t*>(p) = *static_cast<const std::int64_t*>(fresh); return;
    case Kind::number: *static_cast<double*>(p) = *static_cast<const double*>(fresh); return;
    case Kind::boolean: *static_cast<bool*>(p) = *static_cast<const bool*>(fresh); return;
    case Kind::json: *static_cast<Json*>(p) = *static_cast<const Json*>(fresh); return;
    case Kind::floats: static_cast<std::vector<float>*>(p)->clear(); return;
    case Kind::opt_integer: static_cast<Optional<std::int64_t>*>(p)->reset(); return;
    case Kind::opt_number: static_cast<Optional<double>*>(p)->reset(); return;
    case Kind::opt_boolean: static_cast<Optional<bool>*>(p)->reset(); return;
    case Kind::opt_string: {
      auto& text = *static_cast<Optional<std::string>*>(p);
      if (text) {
        shelf.keep(*text);
        text.reset();
      }
      return;
    }
    case Kind::optional:
    case Kind::array:
    case Kind::dictionary: shrink(p, type, 0, shelf); return;
    case Kind::object: {
      for (unsigned i = 0; i < type.object->count; ++i) {
        const Entry& entry = type.object->entries[i];
        if ((entry.flags & alias) != 0) continue;
        reset(static_cast<char*>(p) + entry.offset, static_cast<const char*>(fresh) + entry.offset,
              *entry.type, shelf);
      }
      shrink(*reinterpret_cast<Extra*>(static_cast<char*>(p) + type.object->extra_offset), 0, shelf);
      return;
    }
    case Kind::either:
    case Kind::tagged:
      salvage(p, type, shelf);
      type.alternatives->renew(p);
      return;
  }
}

}  // namespace inferwire::inline v0_1::json
