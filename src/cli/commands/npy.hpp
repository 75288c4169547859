/// \file
/// NumPy's file format, version 1.0 (numpy/lib/format.py).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

namespace inferwire::inline v0_1::cli {

/// Writes the file of an array of 32-bit floats, [rows, columns], row after row. `write` gets it in pieces of
/// at most 64 KiB and returns whether it could write one. Returns whether all were written.
bool write_npy(std::span<const float> values, std::size_t rows, std::size_t columns,
               const std::function<bool(std::string_view)>& write);

}  // namespace inferwire::inline v0_1::cli
