#include "engine/model/corpus.hpp"

#include <array>

namespace inferwire::inline v0_1::engine {
namespace {

// MSVC allows 16,380 bytes in one string literal: each file is one literal of fewer.
constexpr std::array<std::string_view, 1> files{
#include "engine/model/corpus/about.inc"
};

}  // namespace

std::span<const std::string_view> corpus() noexcept { return files; }

}  // namespace inferwire::inline v0_1::engine
