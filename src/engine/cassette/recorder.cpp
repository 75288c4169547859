#include "engine/cassette/cassette_file.hpp"
#include "engine/cassette/recording.hpp"
#include "inferwire/clock.hpp"
#include "inferwire/engine/cassette.hpp"
#include "inferwire/forwarding.hpp"

#include <chrono>
#include <mutex>
#include <utility>

namespace inferwire::inline v0_1::engine {

/// Shared by the recorder and its exchanges, which may outlive it. Safe from any thread.
struct INFERWIRE_PRIVATE Recorder::State {
  class Recorded;

  State(CassetteFile the_file, RecorderOptions the_options)
      : options(std::move(the_options)), file(std::move(the_file)) {}

  const RecorderOptions options;
  std::mutex mutex;  // guards the members below
  CassetteFile file;
  Optional<Error> problem{};  // the first one: an exchange was not written, so the cassette is incomplete

  void write(const Recording& recording) {
    auto line = to_line(recording, options.shown_headers);
    const std::lock_guard lock(mutex);
    if (problem) return;
    if (auto written = file.append(std::move(line)); !written) problem = std::move(written).error();
  }
};

/// Records what passes between the other transport and the caller.
class Recorder::State::Recorded final : public ForwardingExchange {
 public:
  Recorded(std::shared_ptr<State> state, const HttpRequest& request, Sink& sink)
      : ForwardingExchange(sink), state_(std::move(state)), start_(Clock::system().now()) {
    recording_.method = request.method;
    recording_.target = target_of(request.url);
    recording_.headers = request.headers;
    recording_.body = request.body;
  }

  void release() override {
    write(false);  // the client has recognised the end
    ForwardingExchange::release();
  }
  void reject() override {
    write(false);  // the bytes that made the client fail have been received
    ForwardingExchange::reject();
  }

 private:
  void on_head(const ResponseHead& head) override {
    recording_.status = head.status;
    recording_.http_version = head.http_version;
    for (const auto header : head.headers) {
      recording_.answer_headers.push_back({std::string(header.name), std::string(header.value)});
    }
    ForwardingExchange::on_head(head);
  }
  void on_body(std::string_view bytes) override {
    using std::chrono::milliseconds;
    const auto after = std::chrono::duration_cast<milliseconds>(Clock::system().now() - start_);
    recording_.chunks.push_back({after.count(), std::string(bytes)});
    ForwardingExchange::on_body(bytes);
  }
  void on_end(const Error* failure) override {
    write(failure != nullptr);
    ForwardingExchange::on_end(failure);
  }

  void write(bool broken) {
    if (recording_.status == 0 || std::exchange(written_, true)) return;
    recording_.broken = broken;
    state_->write(recording_);
  }

  std::shared_ptr<State> state_;
  TimePoint start_;
  Recording recording_;
  bool written_{};
};

Recorder::Recorder(std::shared_ptr<Transport> transport, std::shared_ptr<State> state)
    : ForwardingTransport(std::move(transport)), state_(std::move(state)) {}
Recorder::~Recorder() = default;

Result<std::shared_ptr<Recorder>> Recorder::open(const std::string& path,
                                                 std::shared_ptr<Transport> transport,
                                                 RecorderOptions options) {
  if (!transport) return Error{.kind = ErrorKind::config, .detail = "the recorder has no transport"};
  auto file = CassetteFile::open(path);
  if (!file) return std::move(file).error();
  return std::shared_ptr<Recorder>(
      new Recorder(std::move(transport), std::make_shared<State>(*std::move(file), std::move(options))));
}

Optional<Error> Recorder::problem() const {
  const std::lock_guard lock(state_->mutex);
  return state_->problem;
}

Result<std::unique_ptr<Exchange>> Recorder::start_at(Transport& inner, HttpRequest request, Sink& sink,
                                                     const ExchangeOptions& options) {
  if (auto met = problem()) return *std::move(met);
  if (request.confidential) return inner.start(std::move(request), sink, options);
  auto recorded = std::make_unique<State::Recorded>(state_, request, sink);
  return ForwardingExchange::begin(std::move(recorded), inner, std::move(request), options);
}

}  // namespace inferwire::inline v0_1::engine
