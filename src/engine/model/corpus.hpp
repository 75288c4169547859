/// \file
/// The text that the bundled model learns from, written for this project.
#pragma once

#include <span>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// Documents in the model's chat template. Each ends with `<|end|>`; line ends next to a special token only
/// make the file readable and are not part of the text.
std::span<const std::string_view> corpus() noexcept;

}  // namespace inferwire::inline v0_1::engine
