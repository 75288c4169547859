#include "engine/model/stop_filter.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::engine {

StopFilter::StopFilter(std::vector<std::string> stops) {
  for (std::string& stop : stops) {
    if (!stop.empty()) matchers_.emplace_back(std::move(stop));
  }
}

StopFilter::Output StopFilter::feed(std::string_view bytes) {
  if (stopped_) return {{}, true};
  if (matchers_.empty()) return {characters_.feed(bytes), false};

  std::size_t longest_begun = 0;
  for (const char byte : bytes) {
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
  if (bytes.empty()) return {{}, false};

  const std::size_t free = held_.size() - longest_begun;
  std::string emit = characters_.feed(std::string_view{held_}.substr(0, free));
  held_.erase(0, free);
  if (found_) *found_ -= free;
  return {std::move(emit), false};
}

StopFilter::Output StopFilter::flush() {
  if (stopped_) return {{}, true};
  if (found_) return stop_at(*found_);
  std::string emit = characters_.feed(std::exchange(held_, {}));
  return {emit += characters_.flush(), false};
}

StopFilter::Output StopFilter::stop_at(std::size_t held) {
  stopped_ = true;
  std::string emit = characters_.feed(std::string_view{held_}.substr(0, held));
  held_.clear();
  return {emit += characters_.flush(), true};
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
