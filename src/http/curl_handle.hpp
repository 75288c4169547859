/// \file
/// A libcurl handle that remembers its options.
#pragma once

#include "http/curl_url.hpp"
#include "http/header_list.hpp"
#include "inferwire/result.hpp"
#include "inferwire/transport.hpp"

#include <curl/curl.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::http {

/// Setting up a handle costs as much as a small call. One handle therefore serves many exchanges in turn, and
/// only changed options are set.
class CurlHandle {
 public:
  /// A list of hosts without a proxy that has every host.
  static constexpr const char* every_host = "*";

  CurlHandle();
  CurlHandle(const CurlHandle&) = delete;
  CurlHandle& operator=(const CurlHandle&) = delete;

  CURL* get() const noexcept { return easy_.get(); }

  /// The first error of libcurl when setting an option; CURLE_OK: none.
  CURLcode problem() const noexcept { return problem_; }
  /// Sets an option for the life of the handle.
  template <class T>
  void set(CURLoption option, T value) noexcept {
    note(curl_easy_setopt(easy_.get(), option, value));
  }
  /// Records libcurl's result for an option that was set elsewhere.
  void note(CURLcode code) noexcept {
    if (problem_ == CURLE_OK) problem_ = code;
  }

  /// `in_parts`: parses the URL here, which costs one exchange extra time and saves it for many. Errors:
  /// config.
  Result<void> set_url(const std::string& url, bool in_parts);
  /// A request with a body must have one, possibly empty.
  void set_method(const std::string& method, bool has_body);
  /// Sets the body of a method that has one. It is not copied, and must remain valid until the request has
  /// been sent.
  void set_body(std::string_view body) noexcept;
  /// Sets the headers of a request whose body has `body_bytes` bytes. Errors: config.
  Result<void> set_headers(const std::vector<Header>& headers, std::size_t body_bytes);
  void release_headers() noexcept;

  /// The caller's connection limit, which the caller enforces; nothing: none.
  void set_connect_limit(std::optional<Duration> limit) noexcept;
  void set_receive_bytes(long bytes) noexcept;
  /// Whether to bypass any proxy; if not, only hosts in `no_proxy` do.
  void set_direct(bool direct, const std::string& no_proxy) noexcept;
  /// Whether to wait, if a connection to the host is being made, to see whether it can be shared.
  void set_waits_to_share(bool waits) noexcept;
  /// Whether to avoid existing connections.
  void set_fresh(bool fresh) noexcept;
  /// Whether to look the name up even if its addresses are known.
  void set_looks_up_again(bool again) noexcept;
  /// Whether to close the connection after use.
  void set_forbids_reuse(bool forbids) noexcept;

  bool has_body() const noexcept { return has_body_; }
  bool is_secure() const noexcept { return is_secure_; }
  const std::string& url() const noexcept { return url_; }
  /// Host and port of the URL.
  const std::string& place() const noexcept { return place_; }

  /// libcurl's last message about the exchange; empty: none.
  const char* text() const noexcept { return text_.data(); }
  void clear_text() noexcept { text_[0] = '\0'; }
  /// libcurl's information about the exchange; zero if it has none.
  template <class T>
  T info(CURLINFO what) const noexcept {
    T value{};
    curl_easy_getinfo(easy_.get(), what, &value);
    return value;
  }
  /// Whether libcurl made a connection for the exchange.
  bool has_own_connection() const noexcept { return info<long>(CURLINFO_NUM_CONNECTS) > 0; }

 private:
  struct Cleanup {
    void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
  };

  // Buffers that the handle reads for its whole life.
  std::array<char, CURL_ERROR_SIZE> text_{};
  CurlUrl parts_;  // parts of `url_`; null: none
  HeaderList headers_;
  std::unique_ptr<CURL, Cleanup> easy_;

  CURLcode problem_{CURLE_OK};
  std::string url_;
  std::string place_;
  bool is_secure_{};
  std::string method_;
  bool has_body_{};
  long connect_milliseconds_{};
  long receive_bytes_{};  // 0: libcurl's default
  bool direct_{};
  bool waits_to_share_{};
  bool fresh_{};
  bool looks_up_again_{};
  bool forbids_reuse_{};
};

}  // namespace inferwire::inline v0_1::http
