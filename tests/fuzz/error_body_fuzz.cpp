// libFuzzer target: anything that a server sends as an error becomes an error whose facts are bounded and
// UTF-8.
#include "client/call/http_error.hpp"
#include "json/text.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace inferwire;
  if (size < 2) return 0;
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  // The first byte chooses the status, the second how many of the next bytes are the headers' value.
  const int status = 400 + static_cast<unsigned char>(input[0]) % 200;
  const auto value = input.substr(2, static_cast<unsigned char>(input[1]) % 32);
  const auto body = input.substr(2 + value.size());
  const ResponseHead head{.status = status,
                          .reason = std::string(value),
                          .headers = {{"Retry-After", std::string(value)},
                                      {"x-amzn-ErrorType", std::string(value)},
                                      {"x-should-retry", std::string(value)}}};
  const auto error = client::http_error(head, body, std::chrono::system_clock::time_point());
  if (error.status != status || error.body.size() > (64u << 10) || error.detail.size() > 4096) std::abort();
  if (error.retry_after && error.retry_after->count() < 0) std::abort();
  const auto facts = wire::read_error_body(body, {});
  for (const auto* text : {&facts.message, &facts.code, &facts.type, &facts.param, &facts.original_code}) {
    if (json::invalid_utf8(*text) != std::string_view::npos || text->size() > 4096) std::abort();
  }
  static_cast<void>(client::embedded_error(head, facts, body).message());
  if (const auto found = wire::error_in_document(body)) static_cast<void>(found->message.size());
  return 0;
}
