/// \file
/// inferwire_driver lets the library be checked from outside, in any language. It reads one JSON request a
/// line from stdin and writes one JSON reply a line to stdout; bytes travel as base64. It runs the library's
/// own code and opens neither files nor sockets.

#include "driver/operations.hpp"

#include <nlohmann/json.hpp>

#include <exception>
#include <iostream>
#include <string>

int main() {
  using nlohmann::json;
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    json reply = json::object();
    try {
      const auto request = json::parse(line);
      reply["id"] = request.value("id", json());
      reply.update(inferwire_driver::answer(request));
    } catch (const std::exception& problem) {
      reply["fault"] = problem.what();
    }
    std::cout << inferwire_driver::to_line(reply) << '\n' << std::flush;
  }
}
