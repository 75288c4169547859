/// \file
/// `inferwire serve`: the engine behind an HTTP port.
#pragma once

#include <cstdint>
#include <string>

#include "cli/exit_code.hpp"

namespace CLI {
class App;
}

namespace inferwire::inline v0_1::cli {

struct ServeArguments {
  std::string host{"127.0.0.1"};
  int port{0};
  std::string api_key_variable{};  ///< empty: INFERWIRE_API_KEY, if it is set
  std::uint64_t seed{0};
  std::int64_t first_token_ms{0};
  std::int64_t token_ms{0};

  /// Adds the command to the program's; its arguments land in this object, which has to outlive the parsing.
  CLI::App* declare(CLI::App& program);
};

/// Serves until SIGINT or SIGTERM.
ExitCode run(const ServeArguments& arguments);

}  // namespace inferwire::inline v0_1::cli
