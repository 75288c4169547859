/// \file
/// `inferwire serve`: the engine behind an HTTP port.
#pragma once

#include "cli/exit_code.hpp"
#include "cli/serving/serving.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::cli {

struct ServeArguments {
  Address address{};
  std::string api_key_variable{};  ///< empty: INFERWIRE_API_KEY, if it is set
  std::uint64_t seed{0};
  std::string api_key{};  ///< takes precedence over the variable
  std::int64_t ttft_ms{0};
  double tokens_per_second{0};  ///< 0: unlimited
  double jitter{0};
  std::string rules{};                ///< the file of a script; empty: none
  std::vector<std::string> models{};  ///< further ones: "NAME" or "NAME=ENDPOINT"
  std::string gguf{};                 ///< the file of a real model; empty: none
  std::int64_t deadline_ms{0};        ///< 0: none
  std::uint64_t max_body{0};          ///< in bytes; 0: each mount's own
  std::string v1{};                   ///< empty: each endpoint's own
  std::string lmi_profile{};          ///< "0.29"; empty: the documented one
  bool literal_defaults{false};
  bool ai21_422{false};
  bool sigv4{false};

  /// Adds the command to the program; its arguments are stored in this object, which must outlive the
  /// parsing.
  CLI::App* declare(CLI::App& program);
};

/// Serves until SIGINT or SIGTERM.
ExitCode run(const ServeArguments& arguments);

}  // namespace inferwire::inline v0_1::cli
