#include "client/batch/verdict.hpp"

#include "base/previous_response.hpp"
#include "client/batch/outage.hpp"

#include <algorithm>
#include <cstdint>

namespace inferwire::inline v0_1::client {

namespace {

/// Whether every other request would fail with the same error.
bool holds_for_all(const Error& error) noexcept {
  return error.kind == ErrorKind::auth || error.kind == ErrorKind::quota || error.kind == ErrorKind::config;
}

/// Whether other requests usually fail as well; `alike`: others that ask the same model.
bool may_hold_for_all(const Error& error, bool alike) noexcept {
  if (is_as_in_outage(error, alike)) return true;
  switch (error.kind) {
    case ErrorKind::not_found: return alike && !is_previous_response_gone(error);
    case ErrorKind::permission_denied:
    case ErrorKind::unsupported: return alike;
    default: return false;
  }
}

}  // namespace

bool is_too_large(const Error& error) noexcept {
  return error.kind == ErrorKind::too_large || error.kind == ErrorKind::context_length;
}

bool may_be_for_one_input(const Error& error) noexcept {
  switch (error.kind) {
    case ErrorKind::invalid_request: return !error.retryable;  // Databricks: with a 5xx it is the server's
    case ErrorKind::unprocessable:
    case ErrorKind::content_filter:
    case ErrorKind::failed_dependency: return true;  // LMI: ends a whole round of its dynamic batching
    default: return false;
  }
}

Error without_body(Error error) {
  error.body.clear();
  return error;
}

void BatchVerdict::on_rejected_alone(const Error& error) {
  ++rejected_alone_;
  rejection_ = without_body(error);
}

void BatchVerdict::on_failure(const Error& error) {
  if (!why_over_ && ends_all(error)) why_over_ = error;
}

void BatchVerdict::on_refusal(const Error& error, int in_a_row, int max_refusals) {
  if (!answered_now()) on_outage(error, in_a_row, max_refusals);
}

void BatchVerdict::on_outage(const Error& error, int in_a_row, int max_refusals) {
  const auto of_one_request = std::int64_t{std::max(max_refusals, 0)} + 1;
  if (in_a_row >= enough_refused * of_one_request) end(error);
}

bool BatchVerdict::ends_all(const Error& error) noexcept {
  if (holds_for_all(error)) return true;
  if (alike_ && error.kind == ErrorKind::decode && ++unusable_ >= enough) return true;
  if (!answered_now() && may_hold_for_all(error, alike_)) ++failed_alike_;
  return !answered_now() && failed_alike_ >= enough;
}

}  // namespace inferwire::inline v0_1::client
