/// \file
/// A libcurl handle that is set up once and performed again and again: our transport is measured against it.
#pragma once

#include "inferwire/headers.hpp"
#include "inferwire/version.hpp"

#include <curl/curl.h>

#include <string>
#include <utility>
#include <vector>

namespace inferwire_bench {

inline std::string curl_product() {
  return std::string("libcurl/") + curl_version_info(CURLVERSION_NOW)->version;
}

/// The key of both sides. The bare handle sends the same headers as the client: libcurl writes a head byte
/// by byte, and each byte costs time.
inline const std::string api_key = "0123456789abcdef0123456789abcdef";
inline const std::vector<inferwire::Header> request_headers{
    {"Content-Type", "application/json"},
    {"Accept", "application/json"},
    {"Authorization", "Bearer " + api_key},
    {"User-Agent", "inferwire/" + std::string(inferwire::version()) + " (linux; x86_64) " + curl_product()}};

struct BareCurl {
  explicit BareCurl(const std::string& url, std::string request = std::string(1000, 'y'))
      : body(std::move(request)) {
    for (const auto& [name, value] : request_headers)
      list = curl_slist_append(list, (name + ": " + value).c_str());
    curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, list);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body.data());
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &BareCurl::count);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
  }
  ~BareCurl() {
    curl_easy_cleanup(easy);
    curl_slist_free_all(list);
  }
  BareCurl(const BareCurl&) = delete;
  BareCurl& operator=(const BareCurl&) = delete;

  /// Trusts `certificate`, which is PEM.
  void trust(const std::string& certificate) {
    curl_blob blob{
        .data = const_cast<char*>(certificate.data()), .len = certificate.size(), .flags = CURL_BLOB_COPY};
    curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &blob);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
  }
  void call() { curl_easy_perform(easy); }

  CURL* easy = curl_easy_init();
  std::string body;
  curl_slist* list{};
  std::size_t bytes{};

 private:
  static std::size_t count(char*, std::size_t, std::size_t size, void* self) {
    static_cast<BareCurl*>(self)->bytes += size;
    return size;
  }
};

}  // namespace inferwire_bench
