#include "cli/commands/in_flight.hpp"

#include "cli/checks.hpp"

#include <CLI/CLI.hpp>

namespace inferwire::inline v0_1::cli {

void declare_in_flight(CLI::App& command, std::size_t& in_flight) {
  command.add_option("--in-flight", in_flight, "Requests in progress at a time")
      ->check(&decimal<std::size_t>)
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000}))
      ->capture_default_str();
}

}  // namespace inferwire::inline v0_1::cli
