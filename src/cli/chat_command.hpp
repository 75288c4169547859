/// \file
/// `inferwire chat`: one prompt, one answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/exit_code.hpp"

namespace CLI {
class App;
}

namespace inferwire::inline v0_1::cli {

struct ChatArguments {
  std::string provider{"openai"};  ///< a key of the table of providers
  std::string base_url{};          ///< empty: the provider's environment variable, then the embedded engine
  std::string model{};             ///< empty: the embedded engine's; required elsewhere
  std::string system{};
  std::string prompt{};  ///< "-" reads standard input
  std::optional<std::int64_t> max_tokens{};
  std::optional<double> temperature{};
  std::optional<std::int64_t> seed{};
  bool stream{true};
  bool json{false};  ///< print the answer's documents instead of its text

  /// Adds the command to the program's; its arguments land in this object, which has to outlive the parsing.
  CLI::App* declare(CLI::App& program);
};

/// Makes the call and prints what comes.
ExitCode run(const ChatArguments& arguments);

}  // namespace inferwire::inline v0_1::cli
