/// \file
/// A set of warm connections with its timers and its wake-up, and what is left over from exchanges that
/// ended.
#pragma once

#include <curl/curl.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/forks.hpp"
#include "http/loop/sockets.hpp"
#include "http/transfer.hpp"
#include "inferwire/timeouts.hpp"

namespace inferwire::inline v0_1::http {

class CurlPool;

/// Whoever drives it owns it for that time; only `wake` may be called from another thread. It is driven
/// either by `move` and `wait`, or by its owner through `multi`, who then calls `collect_results`.
class Reactor {
 public:
  static constexpr std::size_t usual_connections = 8;

  /// How much is kept for later.
  struct Keep {
    long connections{
        usual_connections};    ///< idle ones: some hosts, the service, a login server, a second service
    std::size_t transfers{1};  ///< set up and left over
    std::size_t lingering{8};  ///< streams left at their end within the last second
  };

  /// One for `wait` and `wake`.
  Reactor();
  explicit Reactor(const Keep& keep);
  ~Reactor();
  Reactor(const Reactor&) = delete;
  Reactor& operator=(const Reactor&) = delete;

  /// Whether it was made in this process. One of a parent's shares its connections, and may not even be
  /// destroyed, which would say good-bye on them.
  bool is_ours() const noexcept { return made_after_ == forks(); }
  /// Whether libcurl had the memory for it, and the descriptors.
  bool usable() const noexcept { return multi_ != nullptr; }
  /// The hosts that it may have a connection to, no more of them than the connections that are kept.
  bool has_served(std::string_view origin) const noexcept;
  bool has_room() const noexcept { return origins_.size() < usual_connections; }
  void note_origin(std::string_view origin);
  CURLM* multi() const noexcept { return multi_.get(); }
  /// What transfers make their connections of.
  Sockets& sockets() noexcept { return sockets_; }

  /// A transfer for an exchange of `pool`, whose reactor this is: one whose handle is set up already, if any
  /// is left over from before.
  std::unique_ptr<Transfer> take_transfer(const CurlPool& pool);
  void give_back(std::unique_ptr<Transfer> transfer) noexcept;

  /// Begins to move `transfer`; it has to stay alive until `remove`. Errors: connection.
  Result<void> add(Transfer& transfer);
  /// Ends a transfer: one that is not finished closes its connection at once.
  void remove(Transfer& transfer) noexcept;
  /// Keeps a detached transfer that is nearly at its end, so that its connection can be used again. Whoever
  /// moves the reactor next finishes it, within a bound of bytes and time.
  void linger(std::unique_ptr<Transfer> transfer) noexcept;

  /// The time at which the next lingering transfer is given up; TimePoint::max() when there is none.
  TimePoint lingers_until() const noexcept {
    return lingering_.empty() ? TimePoint::max() : lingering_.front().until;
  }

  /// Finishes what lingers as far as that needs no waiting. Errors: connection.
  Result<void> settle() { return lingering_.empty() ? Result<void>() : move(); }
  /// Moves everything that can move without waiting. Errors: connection.
  Result<void> move();
  /// Waits until something can move, a wake, or the deadline. Whether something can move.
  bool wait(TimePoint deadline) noexcept;
  void wake() noexcept;

  /// Tells transfers how libcurl ended them, and lets go of those that lingered long enough.
  void collect_results() noexcept;

 private:
  struct Cleanup {
    void operator()(CURLM* multi) const noexcept { curl_multi_cleanup(multi); }
  };
  struct Lingering {
    std::unique_ptr<Transfer> transfer;
    TimePoint until;
  };

  void end_lingering(TimePoint now) noexcept;

  Keep keep_;
  unsigned made_after_{forks()};
  Sockets sockets_;
  std::unique_ptr<CURLM, Cleanup> multi_;
  std::vector<std::unique_ptr<Transfer>> spares_;
  std::vector<Lingering> lingering_;
  std::vector<std::string> origins_;  // the last one at the end
};

}  // namespace inferwire::inline v0_1::http
