/// \file
/// A set of warm connections with timers and wake-up, and the remains of exchanges that have ended.
#pragma once

#include "base/forks.hpp"
#include "http/sockets.hpp"
#include "http/transfer.hpp"
#include "inferwire/timeouts.hpp"

#include <curl/curl.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::http {

class CurlPool;

/// Owned by the thread that drives it; only `wake` may be called from another thread. It is driven either by
/// `move` and `wait`, or by `act`, if its multi has been given callbacks for sockets and timers.
class Reactor {
 public:
  static constexpr std::size_t usual_connections = 8;

  /// How much is kept for reuse.
  struct Keep {
    long connections{
        usual_connections};    ///< idle ones: some hosts, the service, a login server, a second service
    std::size_t transfers{1};  ///< set up and unused
    std::size_t lingering{8};  ///< streams left at their end within the last second
  };

  /// A reactor for `wait` and `wake`.
  Reactor();
  explicit Reactor(const Keep& keep);
  ~Reactor();
  Reactor(const Reactor&) = delete;
  Reactor& operator=(const Reactor&) = delete;

  /// Whether it was made in this process. A reactor of the parent process shares its connections and must not
  /// even be destroyed, since that would close them in the protocol.
  bool is_ours() const noexcept { return made_after_ == forks(); }
  /// Whether libcurl had enough memory and descriptors to create it.
  bool usable() const noexcept { return multi_ != nullptr; }
  /// Whether it may have a connection to this host. It remembers at most as many hosts as it keeps
  /// connections.
  bool has_served(std::string_view origin) const noexcept;
  bool has_room() const noexcept { return origins_.size() < usual_connections; }
  void note_origin(std::string_view origin);
  CURLM* multi() const noexcept { return multi_.get(); }
  /// The sockets for the connections of its transfers.
  Sockets& sockets() noexcept { return sockets_; }

  /// A transfer for an exchange of `pool`, to which this reactor belongs; one whose handle is already set up,
  /// if one is left over.
  std::unique_ptr<Transfer> take_transfer(const CurlPool& pool);
  void give_back(std::unique_ptr<Transfer> transfer) noexcept;

  /// Starts `transfer`, which must stay alive until `remove`. Errors: connection.
  Result<void> add(Transfer& transfer);
  /// Makes libcurl choose a connection again for a transfer that has none.
  void choose_again(Transfer& transfer) noexcept;
  /// Ends a transfer; the connection of an unfinished one is closed at once.
  void remove(Transfer& transfer) noexcept;
  /// Keeps a detached transfer that is nearly finished, so that its connection can be reused. The next driver
  /// of the reactor finishes it, within a limit of bytes and time.
  void linger(std::unique_ptr<Transfer> transfer) noexcept;

  /// The time at which the next lingering transfer is given up; TimePoint::max() if there is none.
  TimePoint lingers_until() const noexcept {
    return lingering_.empty() ? TimePoint::max() : lingering_.front().until;
  }

  /// Advances lingering transfers without waiting. Errors: connection.
  Result<void> settle() { return lingering_.empty() ? Result<void>() : move(); }
  /// Advances all transfers without waiting. Errors: connection.
  Result<void> move();
  /// Waits for an event, a wake, or the deadline. Returns whether a transfer can progress.
  bool wait(TimePoint deadline) noexcept;
  void wake() noexcept;

  /// Advances the transfers on a socket that has these events; CURL_SOCKET_TIMEOUT: those whose timers have
  /// fired.
  void act(curl_socket_t socket, int events) noexcept;

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

  Keep keep_;
  unsigned made_after_{forks()};
  Sockets sockets_;
  std::unique_ptr<CURLM, Cleanup> multi_;
  std::vector<std::unique_ptr<Transfer>> spares_;
  std::vector<Lingering> lingering_;
  std::vector<std::string> origins_;  // the most recent is at the end
};

}  // namespace inferwire::inline v0_1::http
