/// \file
/// The options that all commands share which print an answer to a prompt.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace inferwire::inline v0_1::cli {

struct AnswerArguments {
  std::optional<std::int64_t> max_tokens{};
  std::optional<double> temperature{};
  std::optional<std::int64_t> seed{};
  bool stream{true};
  bool json{false};  ///< print the answer's documents instead of its text

  /// Adds --stream, --temperature, --json, and the limit of tokens by the name that the resource gives it;
  /// the values are stored in this object, which must outlive the parsing.
  void declare(CLI::App& command, const std::string& limit = "--max-tokens");
  /// Adds --seed.
  void declare_seed(CLI::App& command);
};

}  // namespace inferwire::inline v0_1::cli
