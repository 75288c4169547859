/// \file
/// Resets values to their defaults without freeing their memory.
#pragma once

#include "inferwire/json.hpp"
#include "json/type.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::json {

/// Keeps the memory of unused strings for later ones, so that a stream whose documents vary in form (a role
/// here, a usage there) soon needs no allocations. Bounded.
class Shelf {
 public:
  /// Copies `text` to `out`, with memory from the shelf if `out` has too little.
  void assign(std::string& out, std::string_view text) {
    if (text.size() > out.capacity()) [[unlikely]] {
      fetch(out, text.size());
    }
    out.assign(text.data(), text.size());
  }
  /// Takes the memory of a string that is about to be destroyed.
  void keep(std::string& text);

  std::string scratch{};        ///< a string for temporary use
  std::vector<float> floats{};  ///< the buffer for a list whose length is not known yet

 private:
  void fetch(std::string& out, std::size_t size);

  std::vector<std::string> strings_;
};

/// Resets the value at `p` to `fresh`, a default-constructed value of the same type; its memory is kept in
/// place or on the shelf.
void reset(void* p, const void* fresh, const Type& type, Shelf& shelf);

/// Puts the memory of the value at `p`, which is about to be destroyed, on the shelf.
void salvage(void* p, const Type& type, Shelf& shelf);

/// Drops the elements from `size` on from an optional, array or dictionary.
void shrink(void* p, const Type& type, std::size_t size, Shelf& shelf);

/// Shrinks a list of unknown members.
void shrink(Extra& extra, std::size_t size, Shelf& shelf);

}  // namespace inferwire::inline v0_1::json
