/// \file
/// `inferwire respond`: one prompt, one answer, by the Responses API.
#pragma once

#include "cli/connection.hpp"
#include "cli/exit_code.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace inferwire::inline v0_1::cli {

struct RespondArguments {
  Connection connection{};
  std::string prompt{};  ///< "-" reads standard input
  std::optional<std::string> instructions{};
  std::optional<std::string> previous{};  ///< the id of the response that this continues
  std::optional<std::int64_t> max_output_tokens{};
  std::optional<double> temperature{};
  std::optional<std::string> effort{};  ///< how much reasoning models think
  bool stream{true};
  bool json{false};  ///< print the answer's documents instead of its text

  /// Adds the command to the program; its arguments are stored in this object, which must outlive the
  /// parsing.
  CLI::App* declare(CLI::App& program);
};

/// Makes the call and prints the answer.
ExitCode run(const RespondArguments& arguments);

}  // namespace inferwire::inline v0_1::cli
