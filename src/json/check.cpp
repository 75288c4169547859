#include "json/codec.hpp"
#include "json/scanner.hpp"
#include "json/text.hpp"

#include <string>

namespace inferwire::inline v0_1::json {
namespace {

Error malformed(std::string_view what, std::size_t offset) {
  return {.kind = ErrorKind::decode, .detail = std::string(what) + " at byte " + std::to_string(offset)};
}

}  // namespace

Result<void> check(std::string_view text) {
  const std::size_t start = text.size() - without_byte_order_mark(text).size();
  Scanner scanner(text.substr(start));
  scanner.space();
  if (scanner.at_end()) return malformed("empty document", text.size());
  if (scanner.value()) {
    scanner.space();
    if (!scanner.at_end()) scanner.fail("more text after the document");
  }
  const std::size_t bad_byte = invalid_utf8(text);
  const std::size_t bad_syntax =
      scanner.fault() != nullptr ? start + scanner.offset() : std::string_view::npos;
  if (bad_byte < bad_syntax) return malformed("invalid UTF-8", bad_byte);
  if (scanner.fault() != nullptr) return malformed(scanner.fault(), bad_syntax);
  return {};
}

bool is_cut(std::string_view text) noexcept {
  Scanner scanner(without_byte_order_mark(text));
  return !scanner.value() && scanner.at_end();
}

}  // namespace inferwire::inline v0_1::json
