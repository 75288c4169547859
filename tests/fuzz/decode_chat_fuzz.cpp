// libFuzzer target: the decoder and the check agree on what JSON is, and decoded documents survive a round
// trip. Seeds: tests/fixtures/wire. Needs inferwire_internal, src/ and include/ on the path, and
// -fsanitize=fuzzer,address,undefined.
#include "round_trip.hpp"
#include "wire/documents.hpp"
#include "wire/embeddings.hpp"
#include "wire/error_body.hpp"

using namespace inferwire_fuzz;

namespace {

/// Reads bare lists of rows, which have their own way through the decoder.
void read_rows(std::string_view text, bool well_formed) {
  static json::Decoder decoder;
  static embeddings::Response rows;
  std::vector<char> block(text.begin(), text.end());
  block.resize(text.size() + json::padding);
  Error error;
  if (wire::decode_embeddings(decoder, std::string_view(block.data(), text.size()), rows, error)) {
    require(well_formed, "rows were read from malformed text");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool well_formed = json::check(text).has_value();
  // These are kept from input to input: a document must leave nothing behind that shows in the next.
  static chat::Chunk chunk;
  static chat::Response response;
  static chat::Request request;
  static completions::Request prompt;
  static completions::Response completion;
  const auto reading = (data[size - 1] & 1) != 0 ? json::Reading::strict : json::Reading::tolerant;
  decode(text, well_formed, reading, chunk);
  decode(text, well_formed, reading, response);
  decode(text, well_formed, reading, request);
  decode(text, well_formed, reading, prompt);
  decode(text, well_formed, reading, completion);
  read_rows(text, well_formed);
  wire::read_error_body(text, "reason");
  wire::error_in_document(text);
  return 0;
}
