/// \file
/// Base classes for transports that wrap another: everything that is not overridden passes through.
///
///     class Counted final : public ForwardingExchange {  // sees answers
///      public:
///       using ForwardingExchange::ForwardingExchange;
///
///      private:
///       void on_body(std::string_view bytes) override {
///         received += bytes.size();
///         ForwardingExchange::on_body(bytes);
///       }
///     };
///
///     class Counting final : public ForwardingTransport {  // sees requests
///      public:
///       using ForwardingTransport::ForwardingTransport;
///
///      private:
///       Result<std::unique_ptr<Exchange>> start_at(Transport& inner, HttpRequest request, Sink& sink,
///                                                  const ExchangeOptions& options) override {
///         return ForwardingExchange::begin(std::make_unique<Counted>(sink), inner, std::move(request),
///         options);
///       }
///     };
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/result.hpp"
#include "inferwire/timeouts.hpp"
#include "inferwire/transport.hpp"

#include <memory>
#include <string_view>

namespace inferwire::inline v0_1 {

/// Sits between a client and the exchange of another transport: it is an exchange to the client and a sink to
/// the other. Every call passes through; a derived class overrides what it wants to see or change, and calls
/// the function of this class to pass it on.
class INFERWIRE_API ForwardingExchange : public Exchange, protected Sink {
 public:
  /// `sink` is the client's sink.
  explicit ForwardingExchange(Sink& sink) noexcept;
  ~ForwardingExchange() override;

  /// Starts the inner exchange at `inner`, with `exchange` as its sink, and returns `exchange`.
  static Result<std::unique_ptr<Exchange>> begin(std::unique_ptr<ForwardingExchange> exchange,
                                                 Transport& inner, HttpRequest request,
                                                 const ExchangeOptions& options);

  Progress drive(TimePoint deadline) override;
  void pause() override;
  void resume() override;
  Optional<TimePoint> due() const override;
  std::string_view obstacle() const noexcept override;
  bool wake() noexcept override;
  void release() override;
  void reject() override;

 protected:
  void on_connected() override;
  void on_sending() override;
  void on_sent() override;
  void on_head(const ResponseHead& head) override;
  void on_body(std::string_view bytes) override;
  void on_end(const Error* failure) override;

 private:
  Sink& sink_;
  std::unique_ptr<Exchange> inner_;
};

/// Starts its exchanges at another transport, including those of an event loop: it uses the other transport's
/// multiplexer, which must not outlive this. A derived class overrides `start_at`. Safe from any thread if
/// `start_at` is.
class INFERWIRE_API ForwardingTransport : public Transport {
 public:
  explicit ForwardingTransport(std::shared_ptr<Transport> inner) noexcept;
  ~ForwardingTransport() override;

  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                          const ExchangeOptions& options) final;
  void wake() noexcept override;
  std::unique_ptr<Multiplexer> multiplexer() final;
  bool is_remote() const noexcept override;

 protected:
  /// Starts an exchange at `inner`, the other transport or its multiplexer. By default it passes all
  /// arguments on.
  virtual Result<std::unique_ptr<Exchange>> start_at(Transport& inner, HttpRequest request, Sink& sink,
                                                     const ExchangeOptions& options);

 private:
  class Multiplexed;

  std::shared_ptr<Transport> inner_;
};

}  // namespace inferwire::inline v0_1
