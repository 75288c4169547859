#include "cli/answer.hpp"

#include <ios>
#include <iostream>
#include <iterator>
#include <stdexcept>

namespace inferwire::inline v0_1::cli {

std::string text_or_input(const std::string& text) {
  if (text != "-") return text;
  try {
    return {std::istreambuf_iterator<char>(std::cin), {}};
  } catch (const std::ios_base::failure&) {
    throw std::runtime_error("cannot read standard input to its end");
  }
}

}  // namespace inferwire::inline v0_1::cli
