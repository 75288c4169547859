/// \file
/// A transport that gives one answer, in exactly the chunks of the answer, and keeps the request.
#pragma once

#include "inferwire/transport.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inferwire_test {

struct CannedAnswer {
  inferwire::ResponseHead head{};
  std::vector<std::string> chunks{};
};

class CannedTransport final : public inferwire::Transport {
 public:
  explicit CannedTransport(CannedAnswer answer) : answer_(std::move(answer)) {}

  inferwire::Result<std::unique_ptr<inferwire::Exchange>> start(inferwire::HttpRequest request,
                                                                inferwire::Sink& sink,
                                                                const inferwire::ExchangeOptions&) override {
    sent_ = std::move(request);
    return std::unique_ptr<inferwire::Exchange>(new Playback(answer_, sink));
  }
  void wake() noexcept override {}

  const std::optional<inferwire::HttpRequest>& sent() const noexcept { return sent_; }

 private:
  /// Delivers the head in the first drive, then one chunk in each.
  class Playback final : public inferwire::Exchange {
   public:
    Playback(const CannedAnswer& answer, inferwire::Sink& sink) : answer_(answer), sink_(sink) {}

    inferwire::Progress drive(inferwire::TimePoint) override {
      if (!begun_) {
        begun_ = true;
        sink_.on_connected();
        sink_.on_sent();
        sink_.on_head(answer_.head);
      } else if (next_ < answer_.chunks.size()) {
        sink_.on_body(answer_.chunks[next_++]);
      } else {
        if (!std::exchange(ended_, true)) sink_.on_end(nullptr);
        return inferwire::Progress::ended;
      }
      return inferwire::Progress::delivered;
    }
    void pause() override {}
    void resume() override {}

   private:
    const CannedAnswer& answer_;
    inferwire::Sink& sink_;
    std::size_t next_{};
    bool begun_{};
    bool ended_{};
  };

  CannedAnswer answer_;
  std::optional<inferwire::HttpRequest> sent_;
};

}  // namespace inferwire_test
