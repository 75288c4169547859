/// \file
/// What the examples share: `--help`, `--base-url`, and the embedded engine, if no service is given.
#pragma once

#include <inferwire/engine/engine.hpp>
#include <inferwire/engine/engine_transport.hpp>
#include <inferwire/inferwire.hpp>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace example {

struct Arguments {
  std::string base_url{};            ///< empty: the embedded engine
  std::string model{};               ///< the name of the model
  std::vector<std::string> words{};  ///< the rest of the command line
};

/// Reads the command line. Prints `usage` and ends the program at `--help` and at options that it does not
/// know.
inline Arguments read(int argc, char** argv, std::string_view usage, std::string model) {
  Arguments arguments{.model = std::move(model)};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--base-url" && i + 1 < argc) {
      arguments.base_url = argv[++i];
    } else if (word == "--model" && i + 1 < argc) {
      arguments.model = argv[++i];
    } else if (word.starts_with("--")) {
      std::cout << usage
                << "\n  --base-url URL  a service that speaks like OpenAI; without it the engine in here"
                << "\n  --model NAME    what is asked; without it " << arguments.model << '\n';
      std::exit(word == "--help" ? 0 : 2);
    } else {
      arguments.words.push_back(word);
    }
  }
  return arguments;
}

/// The lines of a text file; none if there is no such file.
inline std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// Options for the service at `--base-url`, with the key of OPENAI_API_KEY if there is one; without
/// `--base-url` for the embedded engine.
inline inferwire::ClientOptions options(const Arguments& arguments) {
  using namespace inferwire;
  const bool keyed = std::getenv("OPENAI_API_KEY") != nullptr;
  if (!arguments.base_url.empty()) {
    return {.base_url = arguments.base_url, .credential = keyed ? nullptr : Credential::none()};
  }
  return {.base_url = "http://localhost/v1",
          .credential = Credential::none(),
          .transport = std::make_shared<engine::EngineTransport>(std::make_shared<engine::Engine>())};
}

/// Prints the error's message to stderr. Gives the status that main() then returns.
inline int fail(const inferwire::Error& error) {
  std::cerr << error.message() << '\n';
  return 1;
}

}  // namespace example
