/// \file
/// A sink that records its calls.
#pragma once

#include "inferwire/clock.hpp"
#include "inferwire/transport.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire_test {

class RecordingSink final : public inferwire::Sink {
 public:
  void on_connected() override { calls += 'c'; }
  void on_sending() override { ++steps_of_sending; }
  void on_sent() override {
    calls += 's';
    if (at_sent) at_sent();
  }
  void on_head(const inferwire::ResponseHead& heard) override {
    calls += 'h';
    head = heard;
  }
  void on_body(std::string_view bytes) override {
    if (!calls.ends_with('b')) calls += 'b';
    body += bytes;
    if (at_body) at_body();
  }
  void on_end(const inferwire::Error* failure) override {
    calls += 'e';
    if (failure) error = *failure;
  }

  bool ended() const { return calls.ends_with('e'); }

  std::string calls;  ///< a letter for each call: connected, sent, head, body (one for several in a row), end
  int steps_of_sending{};
  std::optional<inferwire::ResponseHead> head;
  std::string body;
  std::optional<inferwire::Error> error;
  std::function<void()> at_sent;
  std::function<void()> at_body;
};

/// Drives until `condition` holds; false if it does not within ten seconds of the transport's clock, or
/// before the end.
template <class Condition>
bool drive_until(inferwire::Exchange& exchange, Condition&& condition,
                 inferwire::Clock& clock = inferwire::Clock::system()) {
  const auto limit = clock.now() + std::chrono::seconds(10);
  while (!condition()) {
    if (clock.now() >= limit) return false;
    if (exchange.drive(limit) == inferwire::Progress::ended) return condition();
  }
  return true;
}

}  // namespace inferwire_test
