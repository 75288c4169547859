#include "inferwire/forwarding.hpp"

#include <utility>

namespace inferwire::inline v0_1 {

ForwardingExchange::ForwardingExchange(Sink& sink) noexcept : sink_(sink) {}
ForwardingExchange::~ForwardingExchange() = default;

Result<std::unique_ptr<Exchange>> ForwardingExchange::begin(std::unique_ptr<ForwardingExchange> exchange,
                                                            Transport& inner, HttpRequest request,
                                                            const ExchangeOptions& options) {
  auto started = inner.start(std::move(request), *exchange, options);
  if (!started) return std::move(started).error();
  exchange->inner_ = *std::move(started);
  return std::unique_ptr<Exchange>(std::move(exchange));
}

Progress ForwardingExchange::drive(TimePoint deadline) { return inner_->drive(deadline); }
void ForwardingExchange::pause() { inner_->pause(); }
void ForwardingExchange::resume() { inner_->resume(); }
Optional<TimePoint> ForwardingExchange::due() const { return inner_->due(); }
std::string_view ForwardingExchange::obstacle() const noexcept { return inner_->obstacle(); }
bool ForwardingExchange::wake() noexcept { return inner_->wake(); }
void ForwardingExchange::release() { inner_->release(); }
void ForwardingExchange::reject() { inner_->reject(); }

void ForwardingExchange::on_connected() { sink_.on_connected(); }
void ForwardingExchange::on_sending() { sink_.on_sending(); }
void ForwardingExchange::on_sent() { sink_.on_sent(); }
void ForwardingExchange::on_head(const ResponseHead& head) { sink_.on_head(head); }
void ForwardingExchange::on_body(std::string_view bytes) { sink_.on_body(bytes); }
void ForwardingExchange::on_end(const Error* failure) { sink_.on_end(failure); }

/// Starts its owner's exchanges on the inner transport's multiplexer.
class INFERWIRE_PRIVATE ForwardingTransport::Multiplexed final : public Multiplexer {
 public:
  Multiplexed(ForwardingTransport& owner, std::unique_ptr<Multiplexer> inner)
      : owner_(owner), inner_(std::move(inner)) {}

  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                          const ExchangeOptions& options) override {
    return owner_.start_at(*inner_, std::move(request), sink, options);
  }
  void wake() noexcept override { inner_->wake(); }
  void run(TimePoint deadline) override { inner_->run(deadline); }

 private:
  ForwardingTransport& owner_;
  std::unique_ptr<Multiplexer> inner_;
};

ForwardingTransport::ForwardingTransport(std::shared_ptr<Transport> inner) noexcept
    : inner_(std::move(inner)) {}
ForwardingTransport::~ForwardingTransport() = default;

Result<std::unique_ptr<Exchange>> ForwardingTransport::start(HttpRequest request, Sink& sink,
                                                             const ExchangeOptions& options) {
  return start_at(*inner_, std::move(request), sink, options);
}

void ForwardingTransport::wake() noexcept { inner_->wake(); }

std::unique_ptr<Multiplexer> ForwardingTransport::multiplexer() {
  auto inner = inner_->multiplexer();
  if (!inner) return nullptr;
  return std::make_unique<Multiplexed>(*this, std::move(inner));
}

bool ForwardingTransport::is_remote() const noexcept { return inner_->is_remote(); }

Result<std::unique_ptr<Exchange>> ForwardingTransport::start_at(Transport& inner, HttpRequest request,
                                                                Sink& sink, const ExchangeOptions& options) {
  return inner.start(std::move(request), sink, options);
}

}  // namespace inferwire::inline v0_1
