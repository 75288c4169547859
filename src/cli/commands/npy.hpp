/// \file
/// NumPy's file format, version 1.0 (numpy/lib/format.py).
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace inferwire::inline v0_1::cli {

/// The file of an array of 32-bit floats, [rows, columns], row after row.
std::string npy_file(std::span<const float> values, std::size_t rows, std::size_t columns);

}  // namespace inferwire::inline v0_1::cli
