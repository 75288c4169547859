/// \file
/// The reactors of a curl transport: those that exchanges have borrowed, and idle ones.
#pragma once

#include "http/curl_share.hpp"
#include "http/network_setup.hpp"
#include "http/reactor.hpp"
#include "inferwire/log.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::http {

/// Shared by a transport and its exchanges, which may outlive it. Safe from any thread.
class CurlPool {
 public:
  CurlPool(NetworkOptions options, std::shared_ptr<Log> wire, std::string ca_file)
      : network_(std::move(options), std::move(ca_file)), wire_(std::move(wire)) {}
  ~CurlPool() { retire(); }

  /// A reactor for an exchange with the host of `url`: the one given back last, whose connections are the
  /// warmest, among those that have served the host, or else among those with room for another connection; a
  /// new one as long as few are idle.
  std::unique_ptr<Reactor> borrow(std::string_view url);
  void give_back(std::unique_ptr<Reactor> reactor) noexcept;
  /// Nothing will be borrowed again: closes idle reactors, and those given back from now on.
  void retire() noexcept;

  void wake() noexcept;
  /// How often `wake` has been called.
  std::uint64_t wakes() const noexcept { return wakes_.load(std::memory_order_acquire); }

  const NetworkSetup& network() const noexcept { return network_; }
  const CurlShare& share() const noexcept { return share_; }
  Log* wire() const noexcept { return wire_.get(); }

 private:
  struct Idle {
    std::unique_ptr<Reactor> reactor{};
    TimePoint since{};
  };
  using Outdated = std::array<std::unique_ptr<Reactor>, 4>;

  std::unique_ptr<Reactor> take_idle(std::string_view origin) noexcept;
  Outdated take_outdated(TimePoint now) noexcept;

  const NetworkSetup network_;
  const std::shared_ptr<Log> wire_;  // absent: not logged
  CurlShare share_;                  // outlives the reactors below
  std::atomic<std::uint64_t> wakes_{0};

  std::mutex mutex_;        // guards what follows
  std::vector<Idle> idle_;  // the one that was given back last is at the end
  std::vector<Reactor*> borrowed_;
};

}  // namespace inferwire::inline v0_1::http
