#include "cli/answer.hpp"

#include <iostream>
#include <iterator>

namespace inferwire::inline v0_1::cli {

std::string text_or_input(const std::string& text) {
  if (text != "-") return text;
  return {std::istreambuf_iterator<char>(std::cin), {}};
}

}  // namespace inferwire::inline v0_1::cli
