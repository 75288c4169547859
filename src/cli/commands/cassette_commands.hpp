/// \file
/// `inferwire record` and `inferwire replay`: a real service in front, and then its recording.
#pragma once

#include "cli/exit_code.hpp"
#include "cli/serving/serving.hpp"

#include <string>
#include <vector>

namespace inferwire::inline v0_1::cli {

struct RecordArguments {
  Address address{};
  std::string base_url{};
  std::string cassette{};
  bool allow_plain_http_key{};  ///< keys may go to another machine over plain http

  /// Adds the command to the program; its arguments are stored in this object, which must outlive the
  /// parsing.
  CLI::App* declare(CLI::App& program);
};

struct ReplayArguments {
  Address address{};
  std::string cassette{};
  double speed{1};
  std::vector<std::string> ignore{};

  CLI::App* declare(CLI::App& program);
};

/// Forward requests, or answer them, until SIGINT or SIGTERM.
ExitCode run(const RecordArguments& arguments);
ExitCode run(const ReplayArguments& arguments);

}  // namespace inferwire::inline v0_1::cli
