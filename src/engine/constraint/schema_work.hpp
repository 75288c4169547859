/// \file
/// How much work it is to copy and merge schemas.
#pragma once

#include "engine/constraint/schema.hpp"

#include <cstddef>
#include <cstdint>

namespace inferwire::inline v0_1::engine {

/// How many values are copied; long texts count as several.
std::uint64_t work_of_copying(const Schema& value);
/// How many values a text of that many characters counts as.
std::uint64_t work_of_writing(std::size_t characters);

/// How many values are copied and compared when two schemas are merged: elements and members are searched
/// for one by one, and `additionalProperties` and `items` are copied for each that the other side lists.
std::uint64_t work_of_merging(const Schema& a, const Schema& b);

}  // namespace inferwire::inline v0_1::engine
