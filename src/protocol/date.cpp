#include "protocol/date.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

namespace {

using std::chrono::system_clock;

/// Reads a date piece by piece; the first piece that does not match makes the whole date invalid.
class DateReader {
 public:
  explicit DateReader(std::string_view text) : rest_(text) {}

  void skip(std::string_view expected) {
    if (!rest_.starts_with(expected)) return fail();
    rest_.remove_prefix(expected.size());
  }
  /// Skips the name of a day: letters, which are not checked, since the date determines it anyway.
  void skip_word() {
    if (rest_.empty() || !ascii::is_letter(rest_.front())) return fail();
    while (!rest_.empty() && ascii::is_letter(rest_.front())) rest_.remove_prefix(1);
  }
  int number(std::size_t digits) {
    int value = 0;
    if (rest_.size() < digits) return fail(), 0;
    for (const char c : rest_.substr(0, digits)) {
      if (!ascii::is_digit(c)) return fail(), 0;
      value = 10 * value + (c - '0');
    }
    rest_.remove_prefix(digits);
    return value;
  }
  unsigned month() {
    static constexpr std::array<std::string_view, 12> names{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto found = std::ranges::find(names, rest_.substr(0, 3));
    if (found == names.end()) return fail(), 0;
    rest_.remove_prefix(3);
    return static_cast<unsigned>(found - names.begin()) + 1;
  }
  std::chrono::seconds time() {
    const int hours = number(2);
    skip(":");
    const int minutes = number(2);
    skip(":");
    const int seconds = number(2);
    if (hours > 23 || minutes > 59 || seconds > 60) fail();
    return std::chrono::hours(hours) + std::chrono::minutes(minutes) + std::chrono::seconds(seconds);
  }
  bool next_is(char c) const { return rest_.starts_with(c); }
  bool next_is_digit() const { return !rest_.empty() && ascii::is_digit(rest_.front()); }
  bool complete() const { return !failed_ && rest_.empty(); }
  void fail() { failed_ = true; }

 private:
  std::string_view rest_;
  bool failed_{};
};

/// Years far away would not fit into the clock's nanoseconds.
constexpr std::chrono::year first_year(1970);
constexpr std::chrono::year last_year(2200);

/// Two digits mean the year with these last digits that is at most fifty years ahead (RFC 9110 5.6.7).
int full_year(int digits, system_clock::time_point now) {
  const std::chrono::year_month_day today(std::chrono::floor<std::chrono::days>(now));
  const int this_year = static_cast<int>(today.year());
  const int year = this_year - this_year % 100 + digits;
  return year > this_year + 50 ? year - 100 : year;
}

}  // namespace

std::optional<system_clock::time_point> parse_http_date(std::string_view text, system_clock::time_point now) {
  DateReader reader(text);
  int year{};
  unsigned month{};
  int day{};
  std::chrono::seconds time{};
  reader.skip_word();
  if (reader.next_is(',')) {
    reader.skip(", ");
    day = reader.number(2);
    if (reader.next_is('-')) {  // RFC 850: Sunday, 06-Nov-94 08:49:37 GMT
      reader.skip("-");
      month = reader.month();
      reader.skip("-");
      year = full_year(reader.number(2), now);
    } else {  // IMF-fixdate: Sun, 06 Nov 1994 08:49:37 GMT
      reader.skip(" ");
      month = reader.month();
      reader.skip(" ");
      year = reader.number(4);
    }
    reader.skip(" ");
    time = reader.time();
    reader.skip(" GMT");
  } else {  // asctime: Sun Nov  6 08:49:37 1994
    reader.skip(" ");
    month = reader.month();
    reader.skip(" ");
    const bool one_digit = reader.next_is(' ');
    if (one_digit) reader.skip(" ");
    day = reader.number(one_digit ? 1 : 2);
    reader.skip(" ");
    time = reader.time();
    reader.skip(" ");
    year = reader.number(4);
  }
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!reader.complete() || !date.ok() || date.year() < first_year) return std::nullopt;
  if (date.year() > last_year) return std::chrono::sys_days(last_year / std::chrono::December / 31);
  return system_clock::time_point(std::chrono::sys_days(date)) + time;
}

system_clock::time_point answered_at(const Headers& headers, system_clock::time_point now) {
  const auto date = find_header(headers, "date");
  return date ? parse_http_date(*date, now).value_or(now) : now;
}

std::optional<system_clock::time_point> parse_timestamp(std::string_view text) {
  DateReader reader(text);
  const std::chrono::year year(reader.number(4));
  reader.skip("-");
  const std::chrono::month month(static_cast<unsigned>(reader.number(2)));
  reader.skip("-");
  const std::chrono::day day(static_cast<unsigned>(reader.number(2)));
  reader.skip(reader.next_is('t') ? "t" : "T");
  auto time = reader.time();
  if (reader.next_is('.')) {
    reader.skip(".");
    do reader.number(1);
    while (reader.next_is_digit());
  }
  if (reader.next_is('+') || reader.next_is('-')) {
    const bool ahead = reader.next_is('+');
    reader.skip(ahead ? "+" : "-");
    const auto hours = std::chrono::hours(reader.number(2));
    reader.skip(":");
    const auto offset = hours + std::chrono::minutes(reader.number(2));
    time += ahead ? -offset : offset;
  } else {
    reader.skip(reader.next_is('z') ? "z" : "Z");
  }
  const std::chrono::year_month_day date(year, month, day);
  const bool in_reach = year >= first_year && year <= last_year;
  if (!reader.complete() || !date.ok() || !in_reach) return std::nullopt;
  return std::chrono::sys_days(date) + time;
}

double seconds_from(std::chrono::system_clock::time_point now, double number) noexcept {
  constexpr double seconds_of_a_date = 1e9;
  constexpr double milliseconds_of_a_date = 1e12;
  if (number < seconds_of_a_date) return number;
  const std::chrono::duration<double> today = now.time_since_epoch();
  return (number < milliseconds_of_a_date ? number : number / 1000) - today.count();
}

}  // namespace inferwire::inline v0_1::protocol
