/// \file
/// A set of warm connections with its timers and its wake-up.
#pragma once

#include <curl/curl.h>

#include <memory>
#include <utility>
#include <vector>

#include "http/transfer.hpp"
#include "inferwire/timeouts.hpp"

namespace inferwire::inline v0_1::http {

/// Whoever drives it owns it for that time; only `wake` may be called from another thread.
class Reactor {
 public:
  Reactor();
  ~Reactor();
  Reactor(const Reactor&) = delete;
  Reactor& operator=(const Reactor&) = delete;

  /// Whether libcurl had the memory for it.
  bool usable() const noexcept { return multi_ != nullptr; }

  /// A transfer whose handle is set up already, if one is left over from before.
  std::unique_ptr<Transfer> take_spare() noexcept { return std::move(spare_); }
  void give_spare(std::unique_ptr<Transfer> transfer) noexcept;

  /// Begins to move `transfer`; it has to stay alive until `remove`. Errors: connection.
  Result<void> add(Transfer& transfer);
  /// Ends a transfer: one that is not finished closes its connection at once.
  void remove(Transfer& transfer) noexcept;
  /// Keeps a detached transfer that is nearly at its end, so that its connection can be used again. Whoever
  /// moves the reactor next finishes it, within a bound of bytes and time.
  void linger(std::unique_ptr<Transfer> transfer) noexcept;

  /// Finishes what lingers as far as that needs no waiting. Errors: connection.
  Result<void> settle() { return lingering_.empty() ? Result<void>() : move(); }
  /// Moves everything that can move without waiting. Errors: connection.
  Result<void> move();
  /// Waits until something can move, a wake, or the deadline.
  void wait(TimePoint deadline) noexcept;
  void wake() noexcept;

 private:
  struct Cleanup {
    void operator()(CURLM* multi) const noexcept { curl_multi_cleanup(multi); }
  };
  struct Lingering {
    std::unique_ptr<Transfer> transfer;
    TimePoint until;
  };

  void collect_results() noexcept;
  void end_lingering(TimePoint now) noexcept;

  std::unique_ptr<CURLM, Cleanup> multi_;
  std::unique_ptr<Transfer> spare_;
  std::vector<Lingering> lingering_;
};

}  // namespace inferwire::inline v0_1::http
