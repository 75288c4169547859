#include "json/document_end.hpp"

#include "json/codec.hpp"
#include "json/scanner.hpp"

namespace inferwire::inline v0_1::json {

bool DocumentEnd::is_reached(std::string_view text) {
  while (seen_ < text.size() && state_ != State::broken) {
    const char c = text[seen_++];
    if (state_ == State::in_string) {
      if (c == '\\') ++seen_;
      if (c == '"') state_ = State::open;
    } else if (state_ == State::whole) {
      if (!is_space(c)) state_ = State::broken;
    } else if (c == '"') {
      state_ = State::in_string;
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if ((c == '}' || c == ']') && --depth_ <= 0) {
      state_ = check(text.substr(0, seen_)) ? State::whole : State::broken;
    }
  }
  return state_ == State::whole;
}

}  // namespace inferwire::inline v0_1::json
