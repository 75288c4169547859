#include "http/curl_share.hpp"

#include "protocol/openssl_exit.hpp"

#include <cstddef>

namespace inferwire::inline v0_1::http {

namespace {

/// Initialises libcurl once in the life of the program.
void initialise_curl() noexcept {
  // Never undone: another part of the program may also use libcurl, and at exit it is unknown which is last.
  [[maybe_unused]] static const CURLcode once = [] {
    protocol::keep_openssl_at_exit();
    return curl_global_init(CURL_GLOBAL_DEFAULT);
  }();
}

}  // namespace

CurlShare::CurlShare() {
  initialise_curl();
  share_.reset(curl_share_init());
  if (!share_) return;
  curl_share_setopt(share_.get(), CURLSHOPT_LOCKFUNC, &CurlShare::lock);
  curl_share_setopt(share_.get(), CURLSHOPT_UNLOCKFUNC, &CurlShare::unlock);
  curl_share_setopt(share_.get(), CURLSHOPT_USERDATA, this);
  // A libcurl without TLS refuses the first; this does no harm.
  curl_share_setopt(share_.get(), CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
  curl_share_setopt(share_.get(), CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS);
}

void CurlShare::lock(CURL*, curl_lock_data data, curl_lock_access, void* self) noexcept {
  static_cast<CurlShare*>(self)->mutexes_[static_cast<std::size_t>(data)].lock();
}

void CurlShare::unlock(CURL*, curl_lock_data data, void* self) noexcept {
  static_cast<CurlShare*>(self)->mutexes_[static_cast<std::size_t>(data)].unlock();
}

}  // namespace inferwire::inline v0_1::http
