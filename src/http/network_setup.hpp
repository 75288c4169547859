/// \file
/// NetworkOptions in libcurl's form.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/network.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace inferwire::inline v0_1::http {

class CurlHandle;

/// Made once per transport; `apply` may be called from any thread.
class NetworkSetup {
 public:
  /// `ca_file`: certificates to trust instead of libcurl's default file, if the options leave it to libcurl
  /// which to trust, and if the file can be opened; empty: none.
  explicit NetworkSetup(NetworkOptions options, std::string ca_file = {});

  /// Why the options cannot be used; nothing if they can.
  const std::optional<Error>& problem() const noexcept { return problem_; }
  /// Sets up a handle, which must not outlive this object.
  void apply(CurlHandle& handle) const;
  /// Whether some requests may go through a proxy.
  bool may_use_proxy() const noexcept;
  /// Whether proxies are given a user's name.
  bool has_proxy_user() const noexcept { return has_proxy_user_; }
  /// The value of CURLOPT_NOPROXY: the hosts that are reached without a proxy.
  const std::string& no_proxy() const noexcept { return no_proxy_; }

  /// How long data sent on a reused connection may stay unacknowledged; nothing: the system's limit. It is as
  /// long as two lost probes take, because the same limit ends probing.
  std::optional<std::chrono::seconds> unacknowledged_limit() const;

  /// At most a year.
  std::chrono::seconds max_idle() const noexcept {
    return std::min<std::chrono::seconds>(options_.max_idle, std::chrono::hours(24 * 365));
  }
  /// The file to trust instead of libcurl's default file; empty: none.
  const std::string& default_ca_file() const noexcept { return default_ca_file_; }
  /// The file that would be that one if it could be opened; empty: none.
  const std::string& ignored_ca_file() const noexcept { return ignored_ca_file_; }
  const std::string& unix_socket() const noexcept { return options_.unix_socket; }
  int max_redirects() const noexcept { return options_.max_redirects; }
  /// Whether exchanges may share a connection.
  bool multiplexes() const noexcept { return options_.http_version == HttpVersion::http2; }

 private:
  struct FreeList {
    void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
  };

  void pin(const PinnedHost& pinned);

  NetworkOptions options_;
  std::string default_ca_file_;
  std::string ignored_ca_file_;
  std::string no_proxy_;
  bool has_proxy_user_{};
  std::unique_ptr<curl_slist, FreeList> resolve_;
  std::optional<Error> problem_;
};

}  // namespace inferwire::inline v0_1::http
