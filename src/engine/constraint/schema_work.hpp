/// \file
/// How much work it is to copy schemas and to put them together.
#pragma once

#include <cstddef>

#include "engine/constraint/schema.hpp"

namespace inferwire::inline v0_1::engine {

/// It and all that is inside of it.
std::size_t count_values(const Schema& value);

/// How many values are copied; long texts count as several.
std::size_t work_of_copying(const Schema& value);
/// How many values a text of so many characters counts as.
std::size_t work_of_writing(std::size_t characters);

/// How many values are copied and compared where two schemas are put together: lists and members are looked
/// for one by one, and what one side says about all others is copied for each that the other side lists.
std::size_t work_of_merging(const Schema& a, const Schema& b);

}  // namespace inferwire::inline v0_1::engine
