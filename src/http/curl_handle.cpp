#include "http/curl_handle.hpp"

#include "protocol/headers.hpp"
#include "protocol/url.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace inferwire::inline v0_1::http {

CurlHandle::CurlHandle() : easy_(curl_easy_init()) {
  if (easy_) {
    set(CURLOPT_ERRORBUFFER, text_.data());
  } else {
    problem_ = CURLE_FAILED_INIT;
  }
}

Result<void> CurlHandle::set_url(const std::string& url, bool in_parts) {
  if (url == url_) return {};
  auto parsed = protocol::parse_url(url);
  if (!parsed) return std::move(parsed).error();
  url_.clear();  // the state of the handle if memory runs out below
  // libcurl 7.88 loses the zone of an IPv6 address when the URL is set in parts. Setting the parts, even to
  // none, makes newer versions forget the text.
  const bool has_zone = parsed->host.find('%') != parsed->host.npos;
  auto parts = in_parts && !has_zone ? take_apart(url) : nullptr;
  if (!parts) set(CURLOPT_CURLU, static_cast<CURLU*>(nullptr));
  set(CURLOPT_URL, url.c_str());
  if (parts) set(CURLOPT_CURLU, parts.get());
  parts_ = std::move(parts);
  is_secure_ = parsed->scheme == "https";
  place_ = protocol::place_of(*parsed);
  url_ = url;
  return {};
}

void CurlHandle::set_method(const std::string& method, bool has_body) {
  if (method == method_ && has_body == has_body_) return;
  method_ = method;
  has_body_ = has_body;
  set(CURLOPT_HTTPGET, 1L);  // also resets what the previous method set
  set(CURLOPT_CUSTOMREQUEST, static_cast<const char*>(nullptr));
  if (has_body) set(CURLOPT_POST, 1L);
  if (method_ == "HEAD") {
    set(CURLOPT_NOBODY, 1L);
  } else if (method_ != (has_body ? "POST" : "GET")) {
    set(CURLOPT_CUSTOMREQUEST, method_.c_str());
  }
}

void CurlHandle::set_body(std::string_view body) noexcept {
  set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  set(CURLOPT_POSTFIELDS, body.data());
}

Result<void> CurlHandle::set_headers(const std::vector<Header>& headers, std::size_t body_bytes) {
  if (headers_.holds(headers, body_bytes)) return {};
  if (auto checked = protocol::check_headers(headers); !checked) return checked;
  headers_.assign(headers, body_bytes);
  set(CURLOPT_HTTPHEADER, headers_.get());
  return {};
}

void CurlHandle::release_headers() noexcept {
  set(CURLOPT_HTTPHEADER, static_cast<curl_slist*>(nullptr));
  headers_.release();
}

/// libcurl gives each address except the last one half of the remaining time. Its limit is a little longer
/// than the caller's, whose timer ends the exchange, and longer than libcurl's default of 300 s if there is
/// none.
void CurlHandle::set_connect_limit(std::optional<Duration> limit) noexcept {
  using namespace std::chrono_literals;
  constexpr Duration longest = std::chrono::hours(7 * 24);
  const auto callers = std::min(limit.value_or(longest), longest);
  const auto milliseconds =
      static_cast<long>((callers + std::clamp<Duration>(callers / 8, 50ms, 1s)).count());
  if (milliseconds == connect_milliseconds_) return;
  set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds);
  connect_milliseconds_ = milliseconds;
}

/// libcurl refuses this while the handle still has the buffer of its last exchange; keeping the old size does
/// no harm.
void CurlHandle::set_receive_bytes(long bytes) noexcept {
  if (bytes == receive_bytes_) return;
  if (curl_easy_setopt(easy_.get(), CURLOPT_BUFFERSIZE, bytes) == CURLE_OK) receive_bytes_ = bytes;
}

void CurlHandle::set_direct(bool direct, const std::string& no_proxy) noexcept {
  if (std::exchange(direct_, direct) != direct) set(CURLOPT_NOPROXY, direct ? every_host : no_proxy.c_str());
}

void CurlHandle::set_waits_to_share(bool waits) noexcept {
  if (std::exchange(waits_to_share_, waits) != waits) set(CURLOPT_PIPEWAIT, waits ? 1L : 0L);
}

void CurlHandle::set_fresh(bool fresh) noexcept {
  if (std::exchange(fresh_, fresh) != fresh) set(CURLOPT_FRESH_CONNECT, fresh ? 1L : 0L);
}

/// libcurl's default is 60 s; it keeps pinned addresses at 0, too. At 0 it would also forget the addresses of
/// every other name when the transfer ends: so this has to be off by then.
void CurlHandle::set_looks_up_again(bool again) noexcept {
  if (std::exchange(looks_up_again_, again) != again) set(CURLOPT_DNS_CACHE_TIMEOUT, again ? 0L : 60L);
}

void CurlHandle::set_forbids_reuse(bool forbids) noexcept {
  if (std::exchange(forbids_reuse_, forbids) != forbids) set(CURLOPT_FORBID_REUSE, forbids ? 1L : 0L);
}

}  // namespace inferwire::inline v0_1::http
