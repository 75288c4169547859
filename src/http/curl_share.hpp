/// \file
/// State shared by several reactors: TLS sessions and resolved names. (Each reactor has its own connections.)
#pragma once

#include <curl/curl.h>

#include <array>
#include <memory>
#include <mutex>

namespace inferwire::inline v0_1::http {

/// Safe from any thread: libcurl locks it through its mutexes. Must outlive the handles that use it.
class CurlShare {
 public:
  CurlShare();
  CurlShare(const CurlShare&) = delete;
  CurlShare& operator=(const CurlShare&) = delete;

  CURLSH* get() const noexcept { return share_.get(); }

 private:
  struct Cleanup {
    void operator()(CURLSH* share) const noexcept { curl_share_cleanup(share); }
  };
  static void lock(CURL*, curl_lock_data data, curl_lock_access, void* self) noexcept;
  static void unlock(CURL*, curl_lock_data data, void* self) noexcept;

  std::array<std::mutex, CURL_LOCK_DATA_LAST> mutexes_;
  std::unique_ptr<CURLSH, Cleanup> share_;
};

}  // namespace inferwire::inline v0_1::http
