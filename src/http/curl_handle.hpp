/// \file
/// A libcurl handle that remembers what it was told.
#pragma once

#include <curl/curl.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/curl_url.hpp"
#include "http/header_list.hpp"
#include "http/network_setup.hpp"
#include "inferwire/result.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::http {

/// Setting a handle up costs as much as a small call. One serves many exchanges, one after the other, and
/// hears of each only what is different.
class CurlHandle {
 public:
  CurlHandle();
  CurlHandle(const CurlHandle&) = delete;
  CurlHandle& operator=(const CurlHandle&) = delete;

  CURL* get() const noexcept { return easy_.get(); }

  /// The first option that libcurl has refused; CURLE_OK: none.
  CURLcode problem() const noexcept { return problem_; }
  /// Sets an option for good.
  template <class T>
  void set(CURLoption option, T value) noexcept {
    note(curl_easy_setopt(easy_.get(), option, value));
  }
  /// What libcurl thought of options that somebody else has set.
  void note(CURLcode code) noexcept {
    if (problem_ == CURLE_OK) problem_ = code;
  }

  /// `in_parts`: taken apart here, which many exchanges with it save and one pays for. Errors: config.
  Result<void> set_url(const std::string& url, bool in_parts);
  /// A request with a body has to have one, if of no bytes.
  void set_method(const std::string& method, bool has_body);
  /// Sets the body of a method that has one. It is read where it lies, until the request has left.
  void set_body(std::string_view body) noexcept;
  void set_headers(const std::vector<Header>& headers, std::size_t body_bytes);
  void release_headers() noexcept;

  /// The caller's limit for the connection, who counts it himself; nothing: none.
  void set_connect_limit(std::optional<Duration> limit) noexcept;
  void set_receive_bytes(long bytes) noexcept;
  /// Whatever proxy there is.
  void set_direct(const NetworkSetup& network, bool direct) noexcept;
  /// Uses no connection again.
  void set_fresh(bool fresh) noexcept;
  /// Leaves no connection to be used again.
  void set_forbids_reuse(bool forbids) noexcept;

  bool has_body() const noexcept { return has_body_; }
  bool is_secure() const noexcept { return is_secure_; }
  /// Host and port of the URL.
  const std::string& place() const noexcept { return place_; }

  /// What libcurl said last of the exchange; empty: nothing.
  const char* text() const noexcept { return text_.data(); }
  void clear_text() noexcept { text_[0] = '\0'; }
  /// What it knows of the exchange; zero where it does not.
  template <class T>
  T info(CURLINFO what) const noexcept {
    T value{};
    curl_easy_getinfo(easy_.get(), what, &value);
    return value;
  }

 private:
  struct Cleanup {
    void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
  };

  // What the handle reads for as long as it lives.
  std::array<char, CURL_ERROR_SIZE> text_{};
  CurlUrl parts_;  // of `url_`; null: none
  HeaderList headers_;
  std::unique_ptr<CURL, Cleanup> easy_;

  CURLcode problem_{CURLE_OK};
  std::string url_;
  std::string place_;
  bool is_secure_{};
  std::string method_;
  bool has_body_{};
  long connect_milliseconds_{};
  long receive_bytes_{};  // 0: libcurl's own
  bool direct_{};
  bool fresh_{};
  bool forbids_reuse_{};
};

}  // namespace inferwire::inline v0_1::http
