#include "http/flow.hpp"

#include <utility>

namespace inferwire::inline v0_1::http {

namespace {

// Just below one whole read (CurlHandle::set_receive_bytes), so that no part of it has to be held back.
constexpr std::size_t most_per_round = 60 * 1024;

}  // namespace

void Flow::pause() noexcept {
  resume_due_ = false;
  if (std::exchange(paused_, true)) return;
  curl_easy_pause(easy_, CURLPAUSE_RECV);
}

CURLcode Flow::begin_round() noexcept {
  auto code = CURLE_OK;
  const bool goes_on = std::exchange(resume_due_, false);
  if (goes_on) paused_ = false;
  if (goes_on || (full_ && !paused_)) {
    // libcurl delivers held-back data inside this call, and the sink may only be called from `drive`. The
    // data does not count towards the round: if paused here, libcurl would read on and hold back everything.
    full_ = true;
    code = curl_easy_pause(easy_, CURLPAUSE_CONT);
    // A transfer without a connection cannot be continued, and libcurl returns this error.
    if (code == CURLE_BAD_FUNCTION_ARGUMENT) code = CURLE_OK;
  }
  full_ = false;
  round_bytes_ = 0;
  return code;
}

bool Flow::take(std::size_t bytes) noexcept {
  round_bytes_ += bytes;
  if (round_bytes_ < most_per_round || std::exchange(full_, true)) return false;
  curl_easy_pause(easy_, CURLPAUSE_RECV);
  return true;
}

}  // namespace inferwire::inline v0_1::http
