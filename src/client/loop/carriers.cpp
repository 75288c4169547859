#include "client/loop/carriers.hpp"

#include <algorithm>

#include "client/core.hpp"
#include "http/curl_transport.hpp"

namespace inferwire::inline v0_1::client {

using detail::Core;

namespace {

/// Whether the transport is the library's own, whose multiplexers and connections can do without it.
bool is_ours(const Core& core) noexcept { return detail::CurlTransport::in(core.transport()) != nullptr; }

/// Starts no exchange.
class Nowhere final : public Transport {
 public:
  Result<std::unique_ptr<Exchange>> start(HttpRequest, Sink&, const ExchangeOptions&) override {
    return Error{.kind = ErrorKind::connection,
                 .detail = "the event loop cannot watch sockets: too few descriptors are left",
                 .retryable = true};
  }
  void wake() noexcept override {}
};

}  // namespace

Transport& Carriers::transport_of(Core& core) {
  auto found = std::ranges::find(connected_, &core, &Connected::core);
  if (found == connected_.end()) {
    forget_unused();
    found = std::ranges::find_if(connected_, [&core](const Connected& one) {
      return one.core == nullptr && one.transport.lock() == core.shared_transport();
    });
    if (found == connected_.end()) {
      auto connected = connect(core);
      if (!connected) return *(nowhere_ = std::make_unique<Nowhere>());
      found = connected_.insert(found, *std::move(connected));
    }
    found->core = &core;
  }
  return found->starter ? *found->starter : *found->multiplexer;
}

/// Nothing: the system lacks what the library's own multiplexer needs, and may have it for the next exchange.
/// Turns would be many times as dear for as long as the core lives.
std::optional<Carriers::Connected> Carriers::connect(Core& core) {
  Connected connected{.core = &core, .transport = core.shared_transport()};
  for (const auto& [transport, multiplexer] : multiplexers_) {
    connected.starter = multiplexer->adopt(core.transport());
    if (!connected.starter) continue;
    connected.multiplexer = multiplexer.get();
    return connected;
  }
  if (auto own = core.transport().multiplexer()) {
    connected.starter = own->adopt(core.transport());  // what the core needs goes with it
    connected.multiplexer = own.get();
    multiplexers_.emplace_back(is_ours(core) ? nullptr : core.shared_transport(), std::move(own));
  } else if (is_ours(core)) {
    return std::nullopt;
  } else {
    connected.starter = turns_.adopt(core.transport());
  }
  return connected;
}

void Carriers::disconnect(const Core& core) noexcept {
  const auto found = std::ranges::find(connected_, &core, &Connected::core);
  if (found != connected_.end()) {
    const bool alone = std::ranges::none_of(connected_, [&core](const Connected& one) {
      return one.core != &core && one.transport.lock() == core.shared_transport();
    });
    if (alone && is_ours(core) && core.shared_transport().use_count() > 1) {
      found->core = nullptr;
    } else {
      connected_.erase(found);
    }
  }
  forget_unused();
}

void Carriers::clear() noexcept {
  connected_.clear();
  multiplexers_.clear();
}

bool Carriers::uses_sockets(const Core& core) const noexcept {
  const auto found = std::ranges::find(connected_, &core, &Connected::core);
  return found != connected_.end() && found->multiplexer != nullptr;
}

void Carriers::forget_unused() noexcept {
  std::erase_if(connected_,
                [](const Connected& one) { return one.core == nullptr && one.transport.expired(); });
  std::erase_if(multiplexers_, [this](const Carrier& carrier) {
    return std::ranges::find(connected_, carrier.multiplexer.get(), &Connected::multiplexer) ==
           connected_.end();
  });
}

}  // namespace inferwire::inline v0_1::client
