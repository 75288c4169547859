/// \file
/// Making values default again without giving their memory away.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "inferwire/json.hpp"
#include "json/type.hpp"

namespace inferwire::inline v0_1::json {

/// Keeps the memory of strings that went out of use for the next ones: an answer whose documents change their
/// shape (a role here, a usage there) settles without allocations. Bounded.
class Shelf {
 public:
  /// Writes `text` over `out`, with memory from the shelf if `out` has too little.
  void assign(std::string& out, std::string_view text) {
    if (text.size() > out.capacity()) [[unlikely]] {
      fetch(out, text.size());
    }
    out.assign(text.data(), text.size());
  }
  /// Takes the memory of a string that is about to go.
  void keep(std::string& text);

  std::string scratch{};        ///< for whoever needs a string for a moment
  std::vector<float> floats{};  ///< the room for a list whose length is not known yet

 private:
  void fetch(std::string& out, std::size_t size);

  std::vector<std::string> strings_;
};

/// Makes the value at `p` what it is at `fresh`, a default-made value of the same type; its memory stays with
/// it or goes to the shelf.
void reset(void* p, const void* fresh, const Type& type, Shelf& shelf);

/// Puts the memory of the value at `p`, which is about to be destroyed, on the shelf.
void salvage(void* p, const Type& type, Shelf& shelf);

/// Drops the elements from `size` on of an optional, array or dictionary.
void shrink(void* p, const Type& type, std::size_t size, Shelf& shelf);

/// Shrinks a list of unknown members.
void shrink(Extra& extra, std::size_t size, Shelf& shelf);

}  // namespace inferwire::inline v0_1::json
