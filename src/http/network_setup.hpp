/// \file
/// NetworkOptions in the form libcurl takes.
#pragma once

#include <curl/curl.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "inferwire/error.hpp"
#include "inferwire/network.hpp"

namespace inferwire::inline v0_1::http {

/// Made once for a transport; `apply` may be called from any thread.
class NetworkSetup {
 public:
  explicit NetworkSetup(NetworkOptions options);

  /// Why the options cannot be used; nothing when they can.
  const std::optional<Error>& problem() const noexcept { return problem_; }
  /// Sets up a handle, which must not outlive this. The first option that libcurl refuses ends it.
  CURLcode apply(CURL* easy) const;
  /// Has a handle reach its next host without a proxy, or again as the options want it.
  CURLcode set_direct(CURL* easy, bool direct) const;

  /// How long a used connection may leave unacknowledged what it is sent; nothing: for as long as the system
  /// lets it. As long as two lost probes take, for the same limit ends probing.
  std::optional<std::chrono::seconds> unacknowledged_limit() const;

  /// A year at most.
  std::chrono::seconds max_idle() const noexcept {
    return std::min<std::chrono::seconds>(options_.max_idle, std::chrono::hours(24 * 365));
  }
  const std::string& unix_socket() const noexcept { return options_.unix_socket; }
  int max_redirects() const noexcept { return options_.max_redirects; }
  /// Exchanges may share a connection.
  bool multiplexes() const noexcept { return options_.http_version == HttpVersion::http2; }

 private:
  struct FreeList {
    void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
  };

  void pin(const PinnedHost& pinned);

  NetworkOptions options_;
  std::string no_proxy_;
  std::unique_ptr<curl_slist, FreeList> resolve_;
  std::optional<Error> problem_;
};

}  // namespace inferwire::inline v0_1::http
