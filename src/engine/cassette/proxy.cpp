#include "base/host.hpp"
#include "engine/answer/answer.hpp"
#include "engine/cassette/recording.hpp"
#include "inferwire/clock.hpp"
#include "inferwire/engine/cassette.hpp"
#include "protocol/framing/media_type.hpp"
#include "protocol/headers.hpp"
#include "protocol/redact.hpp"
#include "protocol/url.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

using namespace std::chrono_literals;

/// How long a step may take: the caller checks on its client between steps.
constexpr auto longest_step = 20ms;
/// How long the end of an answer may take after its client has left.
constexpr auto longest_farewell = 100ms;

/// An answer that is passed through.
class Passing final : public Generation, private Sink {
 public:
  /// Clients leave at the end mark, just before the end itself, which a recorder waits for.
  ~Passing() override {
    const auto limit = Clock::system().now() + longest_farewell;
    while (heard_head_ && !ended_ && Clock::system().now() < limit) drive(limit);
  }

  Result<void> begin(Transport& transport, HttpRequest request) {
    auto started = transport.start(std::move(request), *this, {});
    if (!started) return std::move(started).error();
    exchange_ = *std::move(started);
    return {};
  }

  const ResponseHead& head() const override { return head_; }
  bool streamed() const override {
    return protocol::is_stream(protocol::media_kind(find_header(head_.headers, "content-type")));
  }
  Step step(TimePoint) override {
    const bool had_head = heard_head_;
    if (waiting_.empty() && !ended_) drive(Clock::system().now() + longest_step);
    if (!had_head && heard_head_) return {.kind = Step::Kind::bytes};
    if (!waiting_.empty() || !ended_) {
      passing_ = std::exchange(waiting_, {});
      return {.kind = Step::Kind::bytes, .bytes = passing_};
    }
    return {.kind = broken_ ? Step::Kind::broken : Step::Kind::done};
  }

 private:
  /// An exception ends the exchange. Its message may not be meant for the client.
  void drive(TimePoint deadline) {
    try {
      exchange_->drive(deadline);
    } catch (...) {
      const Error thrown{.kind = ErrorKind::connection, .detail = "the transport threw an exception"};
      if (!ended_) on_end(&thrown);
    }
  }

  void on_head(const ResponseHead& head) override {
    heard_head_ = true;
    head_.status = head.status;
    for (const auto header : head.headers) {
      if (!is_of_the_connection(header.name)) head_.headers.add(header.name, header.value);
    }
  }
  void on_body(std::string_view bytes) override { waiting_ += bytes; }
  void on_end(const Error* failure) override {
    ended_ = true;
    broken_ = failure != nullptr && heard_head_;
    if (!heard_head_) refuse_for(failure != nullptr ? failure->detail : "there was no answer");
  }

  /// Replaces an answer that will not come by a refusal.
  void refuse_for(std::string_view why) {
    const auto refusal = refusal_answer(openai_dialect, refuse::unreachable(why), "proxy");
    head_ = refusal->head();
    waiting_ = refusal->step({}).bytes;
  }

  ResponseHead head_{.status = 502};  // until the real head arrives
  std::string waiting_;
  std::string passing_;
  bool heard_head_{};
  bool ended_{};
  bool broken_{};
  std::unique_ptr<Exchange> exchange_;  // destroyed first: it calls this object
};

Error config(std::string detail) { return {.kind = ErrorKind::config, .detail = std::move(detail)}; }

/// Whether the request appears to contain a key.
bool has_key(const HttpRequest& request) {
  const auto is_secret = [](const Header& header) { return protocol::is_secret_header(header.name); };
  return request.confidential || std::ranges::any_of(request.headers, is_secret) ||
         protocol::has_secret_parameter(request.url);
}

}  // namespace

Result<std::shared_ptr<Proxy>> Proxy::open(std::shared_ptr<Transport> transport, std::string_view base_url,
                                           ProxyOptions options) {
  if (!transport) return config("there is no transport");
  const auto url = protocol::parse_base_url(base_url);
  if (!url) return url.error();
  if (!url->query.empty()) return config("the base URL has a query (?)");
  const bool exposes = url->scheme == "http" && !is_loopback(url->host) && !options.allow_plain_http_key;
  return std::shared_ptr<Proxy>(new Proxy(std::move(transport), protocol::to_string(*url),
                                          exposes ? url->host : std::string(),
                                          std::move(options.allowed_by)));
}

Proxy::Proxy(std::shared_ptr<Transport> transport, std::string base_url, std::string exposed_to,
             std::string allowed_by)
    : transport_(std::move(transport)),
      base_url_(std::move(base_url)),
      exposed_to_(std::move(exposed_to)),
      allowed_by_(std::move(allowed_by)) {}
Proxy::~Proxy() = default;

std::unique_ptr<Generation> Proxy::start(const HttpRequest& request, TimePoint) {
  if (request.body.size() > max_request_bytes()) {
    return refusal_answer(openai_dialect, refuse::too_large(max_request_bytes()), "proxy");
  }
  if (!exposed_to_.empty() && has_key(request)) {
    return refusal_answer(openai_dialect, refuse::plain_http_key(exposed_to_, allowed_by_), "proxy");
  }
  HttpRequest asked{.method = request.method,
                    .url = base_url_ + target_of(request.url),
                    .body = request.body,
                    .confidential = request.confidential};
  for (const auto& header : request.headers) {
    if (!is_of_the_connection(header.name)) asked.headers.push_back(header);
  }
  auto passing = std::make_unique<Passing>();
  if (const auto begun = passing->begin(*transport_, std::move(asked)); !begun) {
    return refusal_answer(openai_dialect, refuse::unreachable(begun.error().detail), "proxy");
  }
  return passing;
}

}  // namespace inferwire::inline v0_1::engine
