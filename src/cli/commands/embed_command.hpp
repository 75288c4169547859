/// \file
/// `inferwire embed`: a row of numbers for every text.
#pragma once

#include "cli/connection.hpp"
#include "cli/exit_code.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::cli {

struct EmbedArguments {
  Connection connection{};
  std::vector<std::string> texts{};
  std::string file{};  ///< one text a line; "-" reads standard input
  std::optional<std::string> instruction{};
  std::optional<std::int64_t> dimensions{};
  std::optional<std::size_t> batch{};  ///< texts a request; absent: as many as the provider allows
  std::size_t in_flight{8};
  std::string checkpoint{};  ///< the file that records what is done; empty: none
  std::string npy{};         ///< the file for a NumPy array; "-" is standard output; empty: rows as JSON
  bool json{false};          ///< print the answer's document instead of rows

  /// Adds the command to the program; its arguments are stored in this object, which must outlive the
  /// parsing.
  CLI::App* declare(CLI::App& program);
};

/// Makes the calls and prints, or writes, the answers.
ExitCode run(const EmbedArguments& arguments);

}  // namespace inferwire::inline v0_1::cli
