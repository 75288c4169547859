/// \file
/// NumPy's file format, version 1.0 (numpy/lib/format.py).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::cli {

/// The file of an array of 32-bit floats whose rows these are; nothing when the rows differ in length.
std::optional<std::string> npy_file(const std::vector<std::vector<float>>& rows);

}  // namespace inferwire::inline v0_1::cli
