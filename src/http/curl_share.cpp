#include "http/curl_share.hpp"

#include "protocol/openssl_exit.hpp"

#if !defined(_WIN32)
#include <dlfcn.h>
#endif

#include <cstddef>

namespace inferwire::inline v0_1::http {

namespace {

/// Keeps libcurl, or the plugin that it is a part of, from being unloaded with the last plugin that uses it:
/// a thread of libcurl may still be looking up a name for a call that was cancelled.
void keep_curl_loaded() noexcept {
#if defined(_WIN32)
  HMODULE kept = nullptr;
  ::GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                       reinterpret_cast<LPCWSTR>(&curl_global_init), &kept);
#else
  Dl_info found{};
  if (::dladdr(reinterpret_cast<const void*>(&curl_global_init), &found) == 0) return;
  ::dlopen(found.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
#endif
}

/// Initialises libcurl once in the life of the program.
void initialise_curl() noexcept {
  // Never undone: another part of the program may also use libcurl, and at exit it is unknown which is last.
  [[maybe_unused]] static const CURLcode once = [] {
    protocol::keep_openssl_at_exit();
    keep_curl_loaded();
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
