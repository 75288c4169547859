#include "engine/model/stop_filter.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::engine {

StopStrings to_stop_strings(const std::vector<std::string>& stops) {
  std::vector<StopString> out;
  for (const std::string& stop : stops) {
    if (!stop.empty()) out.emplace_back(to_utf8(stop));
  }
  return std::make_shared<const std::vector<StopString>>(std::move(out));
}

StopFilter::StopFilter(StopStrings stops) : stops_{std::move(stops)}, matched_(stops_ ? stops_->size() : 0) {}

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
  if (matched_.empty()) return {std::move(text), false};
  std::size_t longest_begun = held_.size();
  for (const char byte : text) {
    held_ += byte;
    longest_begun = 0;
    for (std::size_t at = 0; at < matched_.size(); ++at) {
      const StopString& stop = (*stops_)[at];
      if (stop.feed(byte, matched_[at])) {
        const std::size_t position = held_.size() - stop.text.size();
        found_ = std::min(found_.value_or(position), position);
      }
      longest_begun = std::max<std::size_t>(longest_begun, matched_[at]);
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

StopString::StopString(std::string stop) : text{std::move(stop)}, borders(text.size() + 1, 0) {
  std::uint32_t border = 0;
  for (std::size_t length = 2; length <= text.size(); ++length) {
    while (border > 0 && text[border] != text[length - 1]) border = borders[border];
    if (text[border] == text[length - 1]) ++border;
    borders[length] = border;
  }
}

bool StopString::feed(char byte, std::uint32_t& matched) const {
  while (matched > 0 && text[matched] != byte) matched = borders[matched];
  if (text[matched] == byte) ++matched;
  if (matched < text.size()) return false;
  matched = borders[matched];
  return true;
}

}  // namespace inferwire::inline v0_1::engine
