// A warm decoder that decodes over the same struct allocates nothing. Not run under ThreadSanitizer, which
// has its own operator new.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define INFERWIRE_TEST_THREAD_SANITIZER
#endif
#endif
#if !defined(__SANITIZE_THREAD__) && !defined(INFERWIRE_TEST_THREAD_SANITIZER)
#include "inferwire/response_events.hpp"
#include "json/codec.hpp"
#include "support/catch.hpp"
#include "wire/documents.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> allocations{0};

}  // namespace

void* operator new(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* p = std::malloc(size != 0 ? size : 1)) return p;
  std::abort();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size != 0 ? size : 1);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }

namespace {

using namespace inferwire;

/// Counts the allocations in the third round of decoding `texts` over one chunk.
template <class Chunk = chat::Chunk>
std::size_t allocations_when_warm(const std::vector<std::string>& texts) {
  std::vector<std::string> padded;
  for (const std::string& text : texts) padded.push_back(text + std::string(json::padding, ' '));
  json::Decoder decoder;
  Chunk chunk;
  Error error;
  std::size_t before = 0;
  for (int round = 0; round < 3; ++round) {
    before = allocations.load();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::string_view text(padded[i].data(), texts[i].size());
      if (!decoder.decode(text, chunk, json::Reading::tolerant, error)) FAIL(error.message());
    }
  }
  return allocations.load() - before;
}

const std::string head =
    R"({"id":"chatcmpl-0123456789abcdefghij","object":"chat.completion.chunk","created":1758326497,)"
    R"("model":"meta-llama-3.3-70b-instruct-121024",)";

TEST_CASE("the test's counter counts allocations") {
  const std::size_t before = allocations.load();
  const auto p = std::make_unique<std::string>(100, 'x');
  CHECK(allocations.load() - before == 2);
}

TEST_CASE("Json::string allocates once for a text without escapes") {
  const std::string text(100'000, 'x');
  const auto before = allocations.load();
  const auto quoted = Json::string(text);
  CHECK(allocations.load() - before == 1);
  CHECK(quoted.text().size() == text.size() + 2);
}

TEST_CASE("a stream of completions is decoded without allocations") {
  const std::string start =
      R"({"id":"cmpl-0123456789abcdefghij","object":"text_completion","created":1758326497,)"
      R"("model":"inferwire-toy-1-with-a-name-of-some-length",)";
  const std::vector<std::string> texts{
      start + R"("choices":[{"text":" a word that is longer than sixteen","index":0,"finish_reason":null}]})",
      start + R"("choices":[{"text":"","index":0,"finish_reason":"length"}],"usage":null})",
      start + R"("choices":[],"usage":{"prompt_tokens":41,"completion_tokens":3,"total_tokens":44}})",
  };
  CHECK(allocations_when_warm<completions::Chunk>(texts) == 0);
  const std::string logged =
      start + R"("choices":[{"text":" w","index":0,"finish_reason":null,"logprobs":{"tokens":[" w"],)"
              R"("token_logprobs":[-0.5],"top_logprobs":[{" a token of more than sixteen":-0.5}],)"
              R"("text_offset":[0]}}]})";
  CHECK(allocations_when_warm<completions::Chunk>({logged, logged}) == 0);
}

TEST_CASE("embeddings are decoded over others of their length without allocations") {
  std::string numbers = "0.5", digits = "AAAAPw";
  for (int i = 1; i < 300; ++i) numbers += ",-1.25e-3";
  const auto answer = [](const std::string& row) {
    return R"({"object":"list","data":[{"index":0,"embedding":)" + row + R"(},{"index":1,"embedding":)" +
           row + "}]}";
  };
  CHECK(allocations_when_warm<embeddings::Response>({answer("[" + numbers + "]")}) == 0);
  CHECK(allocations_when_warm<embeddings::Response>({answer("\"" + digits + "==\"")}) == 0);
}

TEST_CASE("a Responses stream is decoded into one event without allocations") {
  const std::string item =
      R"({"id":"msg_0123456789abcdefghij","type":"message","role":"assistant","content":[{"type":"output_text",)"
      R"("text":"a text that is longer than sixteen","annotations":[{"type":"url_citation","url":"https://example.test"}]}]})";
  const std::string place = R"("item_id":"msg_0123456789abcdefghij","output_index":0,"content_index":0,)";
  std::vector<std::string> padded;
  for (
      const std::string& text :
      {R"({"type":"response.created","response":{"id":"resp_0123456789abcdefghij","output":[]}})" +
           std::string(),
       R"({"type":"response.output_item.added","output_index":0,"item":)" + item + "}",
       R"({"type":"response.output_text.delta",)" + place +
           R"("delta":"a piece longer than sixteen","logprobs":[]})",
       R"({"type":"response.function_call_arguments.delta","item_id":"fc","delta":"a piece longer than sixteen"})" +
           std::string(),
       R"({"type":"response.output_text.delta",)" + place +
           R"("delta":"another piece of text","logprobs":[]})",
       R"({"type":"response.output_item.done","output_index":0,"item":)" + item + "}",
       R"({"type":"keepalive","sequence_number":7,"unknown":"to this library"})" + std::string(),
       R"({"type":"response.completed","response":{"id":"resp_0123456789abcdefghij","output":[)" + item +
           "]}}"}) {
    padded.push_back(text + std::string(json::padding, ' '));
  }
  json::Decoder decoder;
  responses::Event event;
  Error error;
  std::size_t before = 0;
  for (int round = 0; round < 3; ++round) {
    before = allocations.load();
    for (const std::string& text : padded) {
      const std::string_view document(text.data(), text.size() - json::padding);
      if (!decoder.decode(document, event, json::Reading::tolerant, error)) FAIL(error.message());
    }
  }
  CHECK(allocations.load() - before == 0);
}

TEST_CASE("chunks of one shape are decoded without allocations") {
  const auto [rest] = GENERATE(table<std::string>({
      {R"("choices":[{"index":0,"delta":{"content":"a piece of text that is longer than sixteen"},"finish_reason":null}]})"},
      {R"("choices":[{"index":0,"delta":{"content":"escaped \n text \u00e9 that is longer than sixteen"}}]})"},
      {R"("choices":[{"index":0,"delta":{"content":"x"}}],"usage":{"prompt_tokens":41,"completion_tokens":7,"total_tokens":48,"prompt_tokens_details":{"cached_tokens":3}}})"},
      {R"("choices":[{"index":0,"delta":{"content":"x"},"unknown member of a choice":{"a":[1,2,3,4,5,6,7,8]}}],"obfuscation":"aBcDeFgHiJkLmNoPqRs","service_tier":"a rather long tier name"})"},
      {R"("choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_0123456789abcdef","type":"function","function":{"name":"a_function_of_some_length","arguments":"{\"harbour\": \"Kinsale\"}"}}]}}]})"},
      {R"("choices":[{"index":0,"delta":{"content":[{"type":"reasoning","summary":[{"type":"summary_text","text":"thinking about it for a while","signature":""}]}]}}]})"},
      {R"("choices":[{"index":0,"delta":{"content":"x"},"logprobs":{"content":[{"token":"x","logprob":-0.25,"bytes":[120],"top_logprobs":[{"token":"x","logprob":-0.25,"bytes":null}]}]}}]})"},
  }));
  INFO(rest);
  CHECK(allocations_when_warm({head + rest}) == 0);
}

// Strings keep their memory while a chunk does not have them; lists lose theirs when their owner is dropped.
TEST_CASE("a stream whose chunks change their shape allocates for returning lists only") {
  const auto content =
      R"("choices":[{"index":0,"delta":{"content":"a piece of text that is longer than sixteen"},"finish_reason":null}]})";
  CHECK(
      allocations_when_warm({
          head +
              R"("choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null})",
          head + content,
          head + content,
          head +
              R"("choices":[{"index":0,"delta":{"reasoning_content":"a thought that is longer than sixteen"}}]})",
          head +
              R"("choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_0123456789abcdef","type":"function","function":{"name":"a_function_of_some_length","arguments":""}}]}}]})",
          head +
              R"("choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"harbour\": \"Kinsale\"}"}}]}}]})",
          head +
              R"("choices":[{"index":0,"delta":{"content":[{"type":"text","text":"a part that is longer than sixteen"}]}}]})",
          head +
              R"("choices":[{"index":0,"delta":{},"finish_reason":"stop","an unknown member":"of some length"}],"obfuscation":"aBcDeFgHiJkLmNoPqRs"})",
          head + R"("choices":[],"usage":{"prompt_tokens":41,"completion_tokens":7,"total_tokens":48}})",
      }) <= 4);
}

}  // namespace
#endif
