#include "cli/answer.hpp"

#include <ios>
#include <iostream>
#include <iterator>
#include <utility>

namespace inferwire::inline v0_1::cli {

Ending ending_of(Finish finish, bool is_cancelled, bool has_text) noexcept {
  if (is_cancelled) return {api_error, "the answer was cancelled"};
  switch (finish) {
    case Finish::error: return {incomplete_stream, "the service broke the answer off"};
    case Finish::content_filter: return {api_error, "a filter of the service stopped the answer"};
    case Finish::length:
      if (has_text) return {};
      return {success, "there is no text: the limit of tokens was used up without one, perhaps by reasoning"};
    default: return {};
  }
}

bool TextPrinter::print(std::string_view text) {
  if (text.empty()) return true;
  has_printed_ = true;
  line_is_open_ = text.back() != '\n';
  return cli::print(text_.shown(text));
}

bool TextPrinter::end_line() { return !std::exchange(line_is_open_, false) || cli::print("\n"); }

std::optional<std::string> text_or_input(const std::string& text) {
  if (text != "-") return text;
  try {
    std::string input(std::istreambuf_iterator<char>(std::cin), {});
    if (input.find_first_not_of("\r\n") != input.npos) return input;
    complain("standard input is empty");
    return std::nullopt;
  } catch (const std::ios_base::failure&) {
    complain("cannot read standard input to its end");
    return std::nullopt;
  }
}

}  // namespace inferwire::inline v0_1::cli
