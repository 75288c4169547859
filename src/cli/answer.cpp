#include "cli/answer.hpp"

#include <ios>
#include <iostream>
#include <iterator>

namespace inferwire::inline v0_1::cli {

std::optional<std::string> text_or_input(const std::string& text) {
  if (text != "-") return text;
  try {
    return std::string(std::istreambuf_iterator<char>(std::cin), {});
  } catch (const std::ios_base::failure&) {
    complain("cannot read standard input to its end");
    return std::nullopt;
  }
}

}  // namespace inferwire::inline v0_1::cli
