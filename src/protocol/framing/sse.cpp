#include "protocol/framing/sse.hpp"

#include "json/scanner.hpp"
#include "json/text.hpp"
#include "protocol/framing/line_scan.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace inferwire::inline v0_1::protocol {

namespace {

constexpr std::string_view data_field = "data:";
constexpr std::string_view field_names[] = {"data", "event", "id", "retry", "error"};
constexpr std::size_t most_stray_bytes = 1024;

bool is_digits(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Whether a line holds data, with the name of its field or, as some servers write it, without.
bool holds_data(std::string_view line) noexcept {
  if (line.starts_with(data_field)) return true;
  line = json::without_byte_order_mark(line);
  return line.starts_with('{') || line.starts_with(data_field);
}

/// Whether an unfinished line belongs to an event stream, or may yet.
bool may_belong(std::string_view line) noexcept {
  if (json::trim(line).empty() || line.starts_with(':') || holds_data(line)) return true;
  if (json::byte_order_mark.starts_with(line)) return true;
  line = json::without_byte_order_mark(line);
  const bool has_colon = line.find(':') != line.npos;
  return std::ranges::any_of(field_names, [&](std::string_view name) {
    return has_colon ? line.substr(0, line.find(':')) == name : name.starts_with(line);
  });
}

void append_stray(std::string& kept, std::string_view line) {
  if (kept.size() >= most_stray_bytes) return;
  if (!kept.empty()) kept += '\n';
  kept += line.substr(0, most_stray_bytes - kept.size());
}

/// Removes one space at the front of a field's value, if there is one.
std::string_view without_space(std::string_view value) noexcept {
  return value.substr(value.starts_with(' ') ? 1 : 0);
}

}  // namespace

void SseParser::feed(std::string_view bytes) {
  if (too_large_) return;
  if (handed_out_) end_block();
  drop_read();
  buffer_.append(bytes);
}

SseParser::Next SseParser::next(SseEvent& event) {
  if (handed_out_) end_block();
  if (too_large_) return Next::too_large;
  if (at_start_) skip_byte_order_mark();
  char* const base = buffer_.data();
  const char* const end = base + buffer_.size();
  for (;;) {
    if (skip_lf_ && line_ < buffer_.size()) {
      skip_lf_ = false;
      if (base[line_] == '\n') scanned_ = ++line_;
    }
    const char* const line_end = find_line_end(base + scanned_, end);
    scanned_ = line_end ? static_cast<std::size_t>(line_end - base) : buffer_.size();
    if ((scanned_ - line_) + (data_end_ - data_begin_) > max_event_bytes_) {
      too_large_ = true;
      return Next::too_large;
    }
    if (!line_end) return Next::more;

    const std::string_view line(base + line_, scanned_ - line_);
    if (line.empty() || !has_data_ || !begins_block(line)) {
      skip_lf_ = *line_end == '\r';
      line_ = ++scanned_;
      if (!line.empty()) {
        take_line(line);
        continue;
      }
    }
    if (has_late_type_ && line.empty()) take_late_type();
    if (std::exchange(has_id_, false)) last_event_id_ = rare_->id;
    if (!has_data_) {
      end_block();
      continue;
    }
    handed_out_ = true;
    event.type = type_;
    event.data = {base + data_begin_, data_end_ - data_begin_};
    event.last_event_id = last_event_id_;
    event.retry = has_retry_ ? retry() : std::string_view();
    return Next::event;
  }
}

std::string_view SseParser::unfinished() const noexcept {
  if (has_data_ && !handed_out_) return {buffer_.data() + data_begin_, data_end_ - data_begin_};
  const std::string_view line(buffer_.data() + line_, buffer_.size() - line_);
  return line.starts_with(':') ? std::string_view() : line;
}

std::string SseParser::stray() const {
  auto all = rare_ ? rare_->stray : std::string();
  const std::string_view line(buffer_.data() + line_, buffer_.size() - line_);
  if (reading_ == Reading::tolerant && !may_belong(line)) append_stray(all, line);
  return all;
}

void SseParser::start_after(std::string last_event_id) { last_event_id_ = std::move(last_event_id); }

SseParser::Rare& SseParser::rare() {
  if (!rare_) rare_ = std::make_unique<Rare>();
  return *rare_;
}

/// Keeps the data of an unfinished block and the unfinished line; drops everything before and between them.
void SseParser::drop_read() noexcept {
  const auto between = line_ - data_end_;
  buffer_.erase(data_end_, between);
  buffer_.erase(0, data_begin_);
  line_ -= between + data_begin_;
  scanned_ -= between + data_begin_;
  data_end_ -= data_begin_;
  data_begin_ = 0;
}

void SseParser::end_block() noexcept {
  handed_out_ = has_data_ = has_lines_ = has_retry_ = false;
  type_.clear();
  if (has_late_type_) take_late_type();
  data_begin_ = data_end_ = line_;
}

void SseParser::take_late_type() noexcept {
  type_.swap(rare_->late_type);
  rare_->late_type.clear();
  has_late_type_ = false;
}

void SseParser::rest() noexcept {
  if (handed_out_ || has_data_ || line_ != buffer_.size()) return;
  drop_read();
  buffer_.rest();
}

/// Skips a byte order mark, once it is known whether the first bytes are one.
void SseParser::skip_byte_order_mark() noexcept {
  const std::string_view head(buffer_.data(), std::min(buffer_.size(), json::byte_order_mark.size()));
  if (head.size() < json::byte_order_mark.size() && json::byte_order_mark.starts_with(head)) return;
  at_start_ = false;
  if (head == json::byte_order_mark) data_begin_ = data_end_ = line_ = scanned_ = head.size();
}

/// Whether a line belongs to the next block, although no blank line has ended this one, which has data. Only
/// the first data line of a block is checked, once.
bool SseParser::begins_block(std::string_view line) const noexcept {
  if (reading_ != Reading::tolerant || has_lines_ || !holds_data(line)) return false;
  const std::string_view data(buffer_.data() + data_begin_, data_end_ - data_begin_);
  const auto text = json::trim(data);
  if (text == "null") return true;
  json::Scanner scanner(text);
  return text.starts_with('{') && text.ends_with('}') && scanner.value() && scanner.at_end();
}

void SseParser::take_line(std::string_view line) {
  if (line.starts_with(data_field)) return take_data(without_space(line.substr(data_field.size())));
  const auto colon = line.find(':');
  const auto field = line.substr(0, colon);
  auto value = colon == line.npos ? line.substr(line.size()) : without_space(line.substr(colon + 1));
  if (field == "data") {
    take_data(value);
  } else if (field == "event") {
    (has_data_ ? rare().late_type : type_) = value;
    has_late_type_ = has_data_;
  } else if (field == "id") {
    if (value.find('\0') == value.npos) {
      rare().id = value;
      has_id_ = true;
    }
  } else if (field == "error" && reading_ == Reading::tolerant) {
    type_ = field;
    take_data(value);
  } else if (field == "retry") {
    if (is_digits(value)) {
      value.remove_prefix(std::min(value.find_first_not_of('0'), value.size() - 1));
      rare().retry = value;
      has_retry_ = true;
    }
  } else if (reading_ == Reading::tolerant) {
    take_stray(line);
  }
}

/// Takes a line without a field name, which may hold data nevertheless.
void SseParser::take_stray(std::string_view line) {
  auto bare = line;
  while (bare.starts_with(json::byte_order_mark)) bare.remove_prefix(json::byte_order_mark.size());
  if (const auto text = json::trim(bare); text.starts_with('{')) return take_data(text);
  if (bare.size() != line.size()) return take_line(bare);
  keep_stray(line);
}

void SseParser::keep_stray(std::string_view line) {
  if (!line.starts_with(':') && !json::trim(line).empty()) append_stray(rare().stray, line);
}

/// Appends the value to the data before it. It always fits: the line end before the value made room.
void SseParser::take_data(std::string_view value) noexcept {
  char* const base = buffer_.data();
  const auto at = static_cast<std::size_t>(value.data() - base);
  if (!has_data_) {
    has_data_ = true;
    data_begin_ = at;
    data_end_ = at + value.size();
    return;
  }
  has_lines_ = true;
  base[data_end_++] = '\n';
  std::memmove(base + data_end_, value.data(), value.size());
  data_end_ += value.size();
  joined_bytes_ += value.size();
}

}  // namespace inferwire::inline v0_1::protocol
