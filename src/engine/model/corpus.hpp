/// \file
/// The text that the bundled model learns from, written for this project.
#pragma once

#include <span>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// Documents in the model's chat template. Each ends with `<|end|>`; line ends beside a special token only
/// serve the reader of the file and are not part of the text.
std::span<const std::string_view> corpus() noexcept;

}  // namespace inferwire::inline v0_1::engine
