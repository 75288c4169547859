#include "engine/model/stop_filter.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::engine {

StopFilter::StopFilter(std::span<const std::string> stops) {
  for (const std::string& stop : stops) {
    if (!stop.empty()) matchers_.emplace_back(to_utf8(stop));
  }
}

StopFilter::Output StopFilter::feed(std::string_view bytes) {
  if (stopped_) return {{}, true};
  return pass(characters_.feed(bytes));
}

StopFilter::Output StopFilter::flush() {
  if (stopped_) return {{}, true};
  Output last = pass(characters_.flush());
  if (last.stopped) return last;
  if (found_) return {std::move(last.emit) + stop_at(*found_).emit, true};
  return {std::move(last.emit) + std::exchange(held_, {}), false};
}

StopFilter::Output StopFilter::pass(std::string text) {
  if (matchers_.empty()) return {std::move(text), false};
  std::size_t longest_begun = held_.size();
  for (const char byte : text) {
    held_ += byte;
    longest_begun = 0;
    for (Matcher& matcher : matchers_) {
      if (matcher.feed(byte)) {
        const std::size_t position = held_.size() - matcher.stop.size();
        found_ = std::min(found_.value_or(position), position);
      }
      longest_begun = std::max(longest_begun, matcher.matched);
    }
    if (found_ && held_.size() - longest_begun >= *found_) return stop_at(*found_);
  }
  const std::size_t free = held_.size() - longest_begun;
  std::string emit = held_.substr(0, free);
  held_.erase(0, free);
  if (found_) *found_ -= free;
  return {std::move(emit), false};
}

StopFilter::Output StopFilter::stop_at(std::size_t held) {
  stopped_ = true;
  std::string emit = held_.substr(0, held);
  held_.clear();
  return {std::move(emit), true};
}

StopFilter::Matcher::Matcher(std::string text) : stop{std::move(text)}, borders(stop.size() + 1, 0) {
  std::size_t border = 0;
  for (std::size_t length = 2; length <= stop.size(); ++length) {
    while (border > 0 && stop[border] != stop[length - 1]) border = borders[border];
    if (stop[border] == stop[length - 1]) ++border;
    borders[length] = border;
  }
}

bool StopFilter::Matcher::feed(char byte) {
  while (matched > 0 && stop[matched] != byte) matched = borders[matched];
  if (stop[matched] == byte) ++matched;
  if (matched < stop.size()) return false;
  matched = borders[matched];
  return true;
}

}  // namespace inferwire::inline v0_1::engine
