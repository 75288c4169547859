/// \file
/// The option of commands that make many requests.
#pragma once

#include <cstddef>

namespace CLI {
class App;
}

namespace inferwire::inline v0_1::cli {

/// Adds --in-flight; the value is stored in `in_flight`, which must outlive the parsing.
void declare_in_flight(CLI::App& command, std::size_t& in_flight);

}  // namespace inferwire::inline v0_1::cli
