#include "base/system_words.hpp"

#if defined(_WIN32)
#include <windows.h>

#include <cstddef>
#include <iterator>
#include <string_view>
#else
#include <system_error>
#endif

namespace inferwire::inline v0_1 {

#if defined(_WIN32)

// MinGW's libstdc++ 12 has no words for them.
std::string system_words(int error) {
  constexpr DWORD as_one_line =
      FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS | FORMAT_MESSAGE_MAX_WIDTH_MASK;
  wchar_t wide[512];
  const auto length =
      FormatMessageW(as_one_line, nullptr, static_cast<DWORD>(error), 0, wide, std::size(wide), nullptr);
  char text[3 * std::size(wide)];
  const auto size =
      WideCharToMultiByte(CP_UTF8, 0, wide, static_cast<int>(length), text, sizeof text, nullptr, nullptr);
  const std::string_view words(text, static_cast<std::size_t>(size));
  const auto end = words.find_last_not_of(". ");
  return end == words.npos ? "system error " + std::to_string(error) : std::string(words.substr(0, end + 1));
}

#else

std::string system_words(int error) { return std::system_category().message(error); }

#endif

}  // namespace inferwire::inline v0_1
