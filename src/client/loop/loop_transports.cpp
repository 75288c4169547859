#include "client/loop/loop_transports.hpp"

#include "client/core.hpp"
#include "http/curl_transport.hpp"
#include "http/loop/curl_multiplexer.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::client {

using detail::Core;

namespace {

/// Whether the transport is the library's own, whose multiplexers and connections can outlive it.
bool is_ours(const Core& core) noexcept { return detail::CurlTransport::in(core.transport()) != nullptr; }

std::unique_ptr<Multiplexer> make_multiplexer(const Core& core) {
  const auto* const ours = detail::CurlTransport::in(core.transport());
  return ours != nullptr ? http::make_multiplexer(ours->pool()) : core.transport().multiplexer();
}

}  // namespace

Result<Transport*> LoopTransports::transport_of(Core& core) {
  auto found = std::ranges::find(bindings_, &core, &CoreBinding::core);
  if (found == bindings_.end()) {
    forget_unused();
    found = std::ranges::find_if(bindings_, [&core](const CoreBinding& one) {
      return one.core == nullptr && one.transport.lock() == core.shared_transport();
    });
    if (found == bindings_.end()) {
      auto binding = bind(core);
      if (!binding) return std::move(binding).error();
      found = bindings_.insert(found, *std::move(binding));
    }
    found->core = &core;
  }
  return found->starter ? found->starter.get() : found->multiplexer;
}

/// If the system lacks what the library's own multiplexer needs, it may have it for the next exchange.
/// Polling instead would be many times as expensive for the rest of the core's life.
Result<LoopTransports::CoreBinding> LoopTransports::bind(Core& core) {
  CoreBinding binding{.core = &core, .transport = core.shared_transport()};
  for (const auto& [transport, multiplexer] : multiplexers_) {
    binding.starter = multiplexer->adopt(core.transport());
    if (!binding.starter) continue;
    binding.multiplexer = multiplexer.get();
    return binding;
  }
  if (auto own = make_multiplexer(core)) {
    binding.starter = own->adopt(core.transport());  // closes the connections when the last core is gone
    binding.multiplexer = own.get();
    multiplexers_.push_back({is_ours(core) ? nullptr : core.shared_transport(), std::move(own)});
  } else if (is_ours(core)) {
    return Error{.kind = ErrorKind::connection,
                 .detail = "the event loop cannot watch sockets: too few descriptors are left",
                 .retryable = true};
  } else {
    binding.starter = polling_.adopt(core.transport());
  }
  return binding;
}

void LoopTransports::unbind(const Core& core) noexcept {
  const auto found = std::ranges::find(bindings_, &core, &CoreBinding::core);
  if (found != bindings_.end()) {
    const bool alone = std::ranges::none_of(bindings_, [&core](const CoreBinding& one) {
      return one.core != &core && one.transport.lock() == core.shared_transport();
    });
    if (alone && is_ours(core) && core.shared_transport().use_count() > 1) {
      found->core = nullptr;
    } else {
      bindings_.erase(found);
    }
  }
  forget_unused();
}

void LoopTransports::clear() noexcept {
  bindings_.clear();
  multiplexers_.clear();
}

bool LoopTransports::uses_sockets(const Core& core) const noexcept {
  const auto found = std::ranges::find(bindings_, &core, &CoreBinding::core);
  return found != bindings_.end() && found->multiplexer != nullptr;
}

void LoopTransports::forget_unused() noexcept {
  std::erase_if(bindings_, [](const CoreBinding& one) { return one.transport.expired(); });
  std::erase_if(multiplexers_, [this](const OwnedMultiplexer& owned) {
    return std::ranges::find(bindings_, owned.multiplexer.get(), &CoreBinding::multiplexer) ==
           bindings_.end();
  });
}

}  // namespace inferwire::inline v0_1::client
