/// \file
/// Room in lists ahead of time, where a lack of memory can be told.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace inferwire::inline v0_1 {

/// Makes room for `count` elements in all, growing as push_back does: up to that, push_back cannot fail.
template <class T>
void make_room(std::vector<T>& list, std::size_t count) {
  if (list.capacity() < count) list.reserve(std::max(count, 2 * list.capacity()));
}

}  // namespace inferwire::inline v0_1
