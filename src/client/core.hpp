/// \file
/// State that the resources of a client share: its configuration and its loop.
#pragma once

#include "client/configuration.hpp"
#include "client/leaving.hpp"
#include "client/request_writer.hpp"
#include "inferwire/auth_report.hpp"
#include "inferwire/client.hpp"
#include "inferwire/clock.hpp"
#include "inferwire/event_loop.hpp"
#include "inferwire/secret.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::detail {

class Loop;

/// Any number of threads may use it.
class Core : public std::enable_shared_from_this<Core> {
 public:
  /// Does no I/O. Missing options are resolved, and errors in options reported, when first needed.
  static std::shared_ptr<Core> make(ClientOptions options);

  /// How calls authenticate, and why they could not be sent.
  AuthReport describe_auth();
  const Provider& provider() const noexcept { return options().provider; }
  const Timeouts& timeouts() const noexcept { return options().timeouts; }
  /// The retry policy of a call with these options.
  const RetryPolicy& retry(const CallOptions& call) const noexcept {
    return call.retry ? *call.retry : options().retry;
  }
  std::uint64_t max_response_bytes() const noexcept { return options().max_response_bytes; }
  std::size_t max_event_bytes() const noexcept { return options().max_event_bytes; }
  Preflight preflight() const noexcept { return options().preflight; }
  Log* log() const noexcept { return options().log.get(); }
  /// Whether the log accepts messages of this level.
  bool logs(LogLevel level) const noexcept { return configuration_.logs(level); }
  Observer* observer() const noexcept { return options().observer.get(); }
  /// Whether a log or an observer follows the course of calls.
  bool observed() const noexcept { return configuration_.logs() || options().observer; }
  const Visibility& visibility() const noexcept { return options().visibility; }
  Transport& transport() const noexcept { return *options().transport; }
  const std::shared_ptr<Transport>& shared_transport() const noexcept { return options().transport; }
  Credential& credential() const noexcept { return *options().credential; }
  /// The executor for callbacks of calls that name none.
  const std::shared_ptr<Executor>& executor() const noexcept { return options().executor; }
  std::size_t stream_buffer_bytes() const noexcept { return options().stream_buffer_bytes; }
  /// The loop for asynchronous calls; the first call starts its thread. Errors: config.
  Result<std::shared_ptr<Loop>> loop();
  /// Whether this thread may wait for a function of the user's: not if it is the loop's, for which the
  /// function may be waiting, nor if the loop's is another process's.
  bool may_wait_for_user() const noexcept;
  /// Called when the last handle of the client is destroyed; ends what still runs on the loop.
  void close() noexcept;
  Clock& clock() const noexcept { return options().clock ? *options().clock : Clock::system(); }

  const protocol::Url& base_url() const noexcept { return configuration_.base().url; }
  /// The request of a call without its credential: URL and headers.
  Result<HttpRequest> request(client::RequestDraft&& draft, const CallOptions& options);
  /// Logs once that the caller's own Authorization takes precedence over the credential.
  void note_own_authorization();
  /// Whether keys may be sent to the base URL.
  bool keys_may_go() const noexcept { return configuration_.base().keys_may_go; }
  /// Whether this can be sent. If keys may not be sent to the base URL, any header that the credential added
  /// to `unsigned_headers` counts as a key. Errors: config.
  Result<void> check_request(const HttpRequest& request, const std::vector<Header>& unsigned_headers) const;
  /// A copy of `keys`, in memory that is shared by calls with the same ones; nullptr if there are none.
  std::shared_ptr<const std::vector<Secret>> share(const std::vector<std::string_view>& keys);

 private:
  explicit Core(ClientOptions of_client);

  friend class Loop;

  const ClientOptions& options() const noexcept { return configuration_.options(); }

  client::Configuration configuration_;
  std::atomic<bool> noted_authorization_{};

  std::mutex keys_mutex_{};  // guards what follows
  std::shared_ptr<const std::vector<Secret>> last_keys_{};

  std::once_flag has_loop_{};          // guards what follows
  std::shared_ptr<EventLoop> loop_{};  ///< nullptr before the first asynchronous call

  Leaving leaving_{};              ///< used by the loop
  std::atomic<Loop*> own_loop_{};  ///< `loop_` for any thread, unless the options have a loop
};

}  // namespace inferwire::inline v0_1::detail
