/// \file
/// URLs parsed by libcurl.
#pragma once

#include <curl/curl.h>

#include <memory>
#include <string>

namespace inferwire::inline v0_1::http {

struct FreeCurlUrl {
  void operator()(CURLU* url) const noexcept { curl_url_cleanup(url); }
};
using CurlUrl = std::unique_ptr<CURLU, FreeCurlUrl>;

/// Null if libcurl cannot parse `text`, or has no memory for it.
inline CurlUrl take_apart(const std::string& text) noexcept {
  CurlUrl url(curl_url());
  if (url && curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK) url.reset();
  return url;
}

}  // namespace inferwire::inline v0_1::http
