#include "engine/model/corpus.hpp"

#include <array>

namespace inferwire::inline v0_1::engine {
namespace {

// MSVC limits a string literal to 16,380 bytes: each file is one shorter literal.
constexpr std::array<std::string_view, 15> files{
#include "engine/model/corpus/about.inc"
    ,
#include "engine/model/corpus/animals.inc"
    ,
#include "engine/model/corpus/code.inc"
    ,
#include "engine/model/corpus/computers.inc"
    ,
#include "engine/model/corpus/days.inc"
    ,
#include "engine/model/corpus/documents.inc"
    ,
#include "engine/model/corpus/home.inc"
    ,
#include "engine/model/corpus/kitchen.inc"
    ,
#include "engine/model/corpus/programs.inc"
    ,
#include "engine/model/corpus/science.inc"
    ,
#include "engine/model/corpus/stories.inc"
    ,
#include "engine/model/corpus/tools.inc"
    ,
#include "engine/model/corpus/topics.inc"
    ,
#include "engine/model/corpus/weather_and_travel.inc"
    ,
#include "engine/model/corpus/world.inc"
};

}  // namespace

std::span<const std::string_view> corpus() noexcept { return files; }

}  // namespace inferwire::inline v0_1::engine
