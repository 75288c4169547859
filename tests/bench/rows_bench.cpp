// Measures embeddings from end to end, next to libcurl and On-Demand used by hand: requests are written,
// answers fetched over loopback and decoded into floats. One answer of 256 x 1,024 floats, as numbers and as
// base64; and a corpus of 100,000 short texts, by create_all and by a libcurl multi with as many requests in
// flight.
//
// rows_bench [NAME]     only the figures whose name contains NAME
#include "bare_curl.hpp"
#include "comparison.hpp"
#include "embeddings_body.hpp"
#include "inferwire/batch.hpp"
#include "inferwire/client.hpp"
#include "inferwire/embeddings.hpp"
#include "recorded_server.hpp"

#include <curl/curl.h>
#include <simdjson.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace inferwire;
using inferwire_bench::figure;
using inferwire_bench::RecordedServer;

constexpr std::size_t corpus_texts = 100'000;
constexpr std::size_t texts_each = 250;
constexpr std::size_t corpus_columns = 64;
constexpr std::size_t in_flight = 8;

void demand(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "rows_bench: %s\n", what);
  std::exit(1);
}

std::vector<inferwire_bench::Recorded> answers() {
  using namespace inferwire_bench;
  return {{.path = "/text", .pieces = {whole_answer(text_body())}},
          {.path = "/base64", .pieces = {whole_answer(base64_body())}},
          {.path = "/corpus", .pieces = {whole_answer(text_body(int{texts_each}, int{corpus_columns}))}}};
}

Client client_at(const RecordedServer& server, const char* path) {
  auto provider = Provider::openai();
  provider.embeddings = {.path = path};
  return Client({.provider = provider, .base_url = server.url, .api_key = Secret(inferwire_bench::api_key)});
}

// ---------------------------------------------------------------- by hand

/// Appends the rows of an answer to `values`. Reserves room for simdjson's padding after `body`.
void decode_rows(simdjson::ondemand::parser& parser, std::string& body, std::vector<float>& values) {
  const auto size = body.size();
  body.reserve(size + simdjson::SIMDJSON_PADDING);
  simdjson::ondemand::document document;
  demand(parser.iterate(body.data(), size, body.capacity()).get(document) == simdjson::SUCCESS, "no JSON");
  for (auto item : document["data"].get_array()) {
    for (auto number : item["embedding"].get_array()) values.push_back(static_cast<float>(double(number)));
  }
}

std::size_t append(char* bytes, std::size_t, std::size_t size, void* body) {
  static_cast<std::string*>(body)->append(bytes, size);
  return size;
}

/// A handle that keeps its answers, in memory that it uses again.
struct Fetch : inferwire_bench::BareCurl {
  explicit Fetch(const std::string& url, std::string request) : BareCurl(url, std::move(request)) {
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &append);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &answer);
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 64L * 1024);  // as ours; saves a tenth with large answers
  }
  /// Makes the handle ready for another request.
  void ask(std::string request) {
    body = std::move(request);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body.data());
    answer.clear();
  }
  std::string answer;
};

std::string request_for(const std::vector<std::string>& texts, std::size_t first, std::size_t count) {
  std::string out = R"({"model":"m","input":[)";
  for (std::size_t i = first; i < first + count; ++i) ((out += i == first ? "\"" : ",\"") += texts[i]) += '"';
  return out += R"(],"encoding_format":"base64"})";
}

/// Fetches a corpus with a libcurl multi. Decodes each answer when it is there, into its place.
class ByHand {
 public:
  ByHand(std::string url, const std::vector<std::string>& texts) : url_(std::move(url)), texts_(texts) {}
  ~ByHand() { curl_multi_cleanup(multi_); }
  ByHand(const ByHand&) = delete;
  ByHand& operator=(const ByHand&) = delete;

  std::vector<float> run() {
    std::vector<float> values(texts_.size() * corpus_columns);
    std::size_t next = 0;
    const auto begin = [&](std::size_t slot) {
      if (next == texts_.size()) return;
      auto& fetch = slots_[slot].fetch;
      if (!fetch) fetch = std::make_unique<Fetch>(url_, "");
      fetch->ask(request_for(texts_, next, texts_each));
      slots_[slot].first = std::exchange(next, next + texts_each);
      curl_easy_setopt(fetch->easy, CURLOPT_PRIVATE, reinterpret_cast<void*>(slot));
      curl_multi_add_handle(multi_, fetch->easy);
    };
    for (std::size_t slot = 0; slot < in_flight; ++slot) begin(slot);
    for (int running = 1; running > 0;) {
      curl_multi_perform(multi_, &running);
      int left{};
      while (const CURLMsg* const message = curl_multi_info_read(multi_, &left)) {
        demand(message->data.result == CURLE_OK, "a request failed");
        char* number{};
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &number);
        const auto slot = reinterpret_cast<std::size_t>(number);
        curl_multi_remove_handle(multi_, slots_[slot].fetch->easy);
        take(slots_[slot], values);
        begin(slot);
        running = 1;
      }
      if (running > 0) curl_multi_poll(multi_, nullptr, 0, 1000, nullptr);
    }
    return values;
  }

 private:
  struct Slot {
    std::unique_ptr<Fetch> fetch;
    std::size_t first{};
  };

  void take(Slot& slot, std::vector<float>& values) {
    rows_.clear();
    decode_rows(parser_, slot.fetch->answer, rows_);
    demand(rows_.size() == texts_each * corpus_columns, "numbers are missing");
    std::ranges::copy(rows_, values.begin() + static_cast<std::ptrdiff_t>(slot.first * corpus_columns));
  }

  std::string url_;
  const std::vector<std::string>& texts_;
  CURLM* multi_ = curl_multi_init();
  std::vector<Slot> slots_ = std::vector<Slot>(in_flight);
  simdjson::ondemand::parser parser_;
  std::vector<float> rows_;
};

// ---------------------------------------------------------------- the figures

void one_answer(const RecordedServer& server, bool against_hand, bool against_text) {
  const embeddings::Request request{.model = "m",
                                    .input = std::vector<std::string>(inferwire_bench::rows, "a text")};
  std::vector<embeddings::Embedding> rows;
  const auto asking = [&](const char* path) {
    return [&rows, &request, client = client_at(server, path)] {
      auto reply = client.embeddings.create(request);
      demand(reply.has_value(), "a call failed");
      rows = std::move(reply->data);
    };
  };
  const inferwire_bench::Turns turns{.times = 4};
  if (against_hand) {
    Fetch fetch(server.url + "/text", std::string(1000, 'y'));
    simdjson::ondemand::parser parser;
    std::vector<float> values;
    const auto ratio = ratio_of("256 x 1024 floats as numbers", turns, asking("/text"), [&] {
      fetch.answer.clear();
      values.clear();
      fetch.call();
      decode_rows(parser, fetch.answer, values);
    });
    demand(values.size() == rows.size() * rows[0].embedding.size() &&
               values.back() == rows.back().embedding.back(),
           "the rows differ");
    figure("embeddings_cpu_vs_by_hand", ratio, 1.15);
  }
  if (against_text) {
    asking("/text")();
    const auto spelt = rows;
    const auto ratio =
        ratio_of("the same as base64 beside numbers", turns, asking("/base64"), asking("/text"));
    asking("/base64")();
    demand(rows == spelt, "the rows differ");
    figure("embeddings_base64_to_text", ratio, 0.2);
  }
}

double seconds_of(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Measures by the clock, since it is the rate that counts.
void corpus(const RecordedServer& server) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < corpus_texts; ++i) texts.push_back("a short text, number " + std::to_string(i));
  const auto client = client_at(server, "/corpus");
  ByHand hand(server.url + "/corpus", texts);
  embeddings::Rows rows;
  std::vector<float> values;
  const auto ours = [&] {
    rows = embeddings::create_all(client, texts, {.model = "m"},
                                  {.max_in_flight = in_flight, .max_request_inputs = texts_each});
  };
  const auto by_hand = [&] { values = hand.run(); };
  std::vector<double> ratios;
  for (int round = 0; round < 6; ++round) {
    const bool hand_first = round % 2 == 0;
    const double first = hand_first ? seconds_of(by_hand) : seconds_of(ours);
    const double second = hand_first ? seconds_of(ours) : seconds_of(by_hand);
    const double own = hand_first ? second : first;
    const double other = hand_first ? first : second;
    if (round == 0) continue;  // the first round only warms up
    std::printf("# %zu texts: %.0f a second, by hand %.0f\n", corpus_texts, corpus_texts / own,
                corpus_texts / other);
    ratios.push_back(own / other);
  }
  demand(rows.failures.empty() && rows.values == values, "the rows differ");
  figure("corpus_time_vs_by_hand", inferwire_bench::median(ratios), 1.25);
}

}  // namespace

int main(int argc, char** argv) {
  const auto wanted = [name = std::string_view(argc > 1 ? argv[1] : "")](std::string_view figure) {
    return figure.find(name) != figure.npos;
  };
  if (wanted("corpus_time_vs_by_hand")) {
    const RecordedServer server(answers());
    corpus(server);
  }
  inferwire_bench::stay_on_one_core();
  const RecordedServer server(answers());
  one_answer(server, wanted("embeddings_cpu_vs_by_hand"), wanted("embeddings_base64_to_text"));
}
