// libFuzzer target: any text where a date or a wait is expected gives a value within bounds.
#include "protocol/date.hpp"
#include "protocol/retry_after.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace inferwire::protocol;
  using namespace std::chrono_literals;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const std::chrono::system_clock::time_point now(std::chrono::seconds(1'767'225'600));
  for (const auto wait : {parse_retry_after(text, now), parse_retry_after_ms(text)}) {
    if (wait && *wait < 0ms) std::abort();
  }
  // Clocks count nanoseconds, which cover only a few centuries.
  constexpr auto most = std::chrono::sys_days(std::chrono::year(2201) / 1 / 5);
  constexpr auto least = std::chrono::sys_days(std::chrono::year(1969) / 12 / 25);
  for (const auto date : {parse_http_date(text, now), parse_timestamp(text)}) {
    if (!date) continue;
    if (*date > most || *date < least) std::abort();
  }
  return 0;
}
