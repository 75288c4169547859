// Does fixed pieces of work, whose instructions are counted instead of their time:
//
//   instructions            prints their names
//   instructions NAME       does one of them, once to warm up and once inside `measured_work`, which is
//                           what instructions.sh has callgrind look at
#include "chat_stream_body.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/testing/manual_clock.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "json/codec.hpp"
#include "long_request.hpp"
#include "protocol/framing/sse.hpp"
#include "responses_stream_body.hpp"
#include "wire/documents.hpp"
#include "wire/embeddings.hpp"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace inferwire;

using Work = std::function<void()>;

void demand(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "instructions: %s\n", what);
  std::exit(1);
}

/// The first `count` events of a stream.
std::string first_events(std::string_view stream, int count) {
  std::size_t end = 0;
  for (int i = 0; i < count; ++i) end = stream.find("\n\n", end) + 2;
  return std::string(stream.substr(0, end));
}

/// Cuts `stream` into events as a client does, in pieces of the size that libcurl hands over, and decodes
/// each event.
template <class Element>
Work decode_stream(std::string stream, int events, json::Series series) {
  struct State {
    std::string stream;
    json::Decoder decoder;
    Element element{};
  };
  auto state = std::make_shared<State>(State{std::move(stream), json::Decoder(series)});
  return [state, events] {
    constexpr std::size_t piece_size = 16 * 1024;
    protocol::SseParser parser;
    Error error;
    int decoded = 0;
    for (std::string_view rest = state->stream; !rest.empty();) {
      const auto piece = rest.substr(0, piece_size);
      rest.remove_prefix(piece.size());
      parser.feed(piece);
      for (protocol::SseEvent event; parser.next(event) == protocol::SseParser::Next::event; ++decoded) {
        demand(state->decoder.decode(event.data, state->element, json::Reading::tolerant, error),
               "an event was not decoded");
      }
    }
    demand(decoded == events, "events are missing");
  };
}

constexpr int stream_events = 1'000;

Work chat_chunks(json::Series series) {
  return decode_stream<chat::Chunk>(first_events(inferwire_bench::chat_stream(), stream_events),
                                    stream_events, series);
}

Work response_events() {
  return decode_stream<responses::Event>(first_events(inferwire_bench::responses_stream(), stream_events),
                                         stream_events, json::Series::alike);
}

Work encode_request() {
  return [] {
    const auto encoded = json::encode(inferwire_bench::long_request());
    demand(encoded && encoded->size() > 200'000, "the request was not encoded");
  };
}

Work embedding_rows() {
  constexpr int rows = 4;
  constexpr int columns = 1'000;
  std::string body = R"({"object":"list","data":[)";
  for (int row = 0; row < rows; ++row) {
    body += (row == 0 ? R"({"index":)" : R"(,{"index":)") + std::to_string(row) + R"(,"embedding":[)";
    for (int i = 0; i < columns; ++i)
      body += (i == 0 ? "0.0123456789012" : ",-0.0123456789012") + std::to_string(1000 + i);
    body += "]}";
  }
  body += R"(],"model":"m"})";
  const auto size = body.size();
  body.append(json::padding, '\0');
  return [body = std::move(body), size, decoder = std::make_shared<json::Decoder>()] {
    embeddings::Response response;
    Error error;
    demand(wire::decode_embeddings(*decoder, std::string_view(body).substr(0, size), response, error),
           "the rows were not decoded");
    demand(response.data.size() == rows && response.data.back().embedding.size() == columns,
           "numbers are missing");
  };
}

/// A client of a service that is in this process and takes no time.
Client scripted_client(testing::Reply reply) {
  const auto clock = std::make_shared<testing::ManualClock>();
  const auto script = std::make_shared<testing::ScriptTransport>(clock);
  script->set_handler([reply = std::move(reply)](const HttpRequest&) { return reply; });
  return Client({.base_url = "http://localhost/v1",
                 .api_key = Secret("0123456789abcdef"),
                 .transport = script,
                 .clock = clock});
}

const chat::Request& short_request() {
  static const chat::Request request{.model = "toy", .messages = {chat::user(std::string(900, 'y'))}};
  return request;
}

Work scripted_calls() {
  constexpr int calls = 100;
  const auto client = scripted_client(testing::Reply::json(
      R"({"id":"chatcmpl-1","object":"chat.completion","created":1700000000,"model":"toy","choices":[{"index":0,)"
      R"("message":{"role":"assistant","content":"The harbour is full at noon."},"finish_reason":"stop"}],)"
      R"("usage":{"prompt_tokens":9,"completion_tokens":12,"total_tokens":21}})"));
  return [client] {
    for (int i = 0; i < calls; ++i) demand(client.chat.create(short_request()).has_value(), "a call failed");
  };
}

Work scripted_stream() {
  const auto client = scripted_client(testing::Reply::stream(
      {first_events(inferwire_bench::chat_stream(), stream_events) + "data: [DONE]\n\n"}));
  return [client] {
    int chunks = 0;
    for (const auto& chunk : client.chat.stream(short_request())) chunks += chunk ? 1 : 0;
    demand(chunks == stream_events, "chunks are missing");
  };
}

struct Named {
  const char* name;
  Work (*make)();
};

constexpr Named all[] = {
    {"chat_chunks", [] { return chat_chunks(json::Series::alike); }},
    {"chat_chunks_one_by_one", [] { return chat_chunks(json::Series::none); }},
    {"response_events", &response_events},
    {"encode_request", &encode_request},
    {"embedding_rows", &embedding_rows},
    {"scripted_calls", &scripted_calls},
    {"scripted_stream", &scripted_stream},
};

}  // namespace

extern "C" [[gnu::noinline]] void measured_work(const Work& work) { work(); }

int main(int argc, char** argv) {
  for (const auto& [name, make] : all) {
    if (argc < 2) {
      std::puts(name);
    } else if (std::string_view(argv[1]) == name) {
      const auto work = make();
      work();
      measured_work(work);
      return 0;
    }
  }
  demand(argc < 2, "there is no such work");
}
