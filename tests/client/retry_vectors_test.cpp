/// \file
/// Runs every row of tests/vectors/retry.json through the pure machine, with errors made as the client makes
/// them.

#include "base/ended_call.hpp"
#include "client/call/call_machine.hpp"
#include "client/call/http_error.hpp"
#include "client/resources/resource.hpp"
#include "http/curl_error.hpp"
#include "inferwire/chat.hpp"
#include "support/catch.hpp"
#include "support/vectors.hpp"

#include <curl/curl.h>

#include <optional>
#include <string>

using namespace std::chrono_literals;
using inferwire::Duration;
using inferwire::Error;
using inferwire::ErrorKind;
using inferwire::RetryPolicy;
using inferwire::Timeouts;
using inferwire::TimePoint;
using inferwire::client::AnswerForm;
using inferwire::client::CallMachine;
using nlohmann::json;

namespace {

/// 1994-11-06T08:49:37Z, the time that the table uses.
const std::chrono::system_clock::time_point wall(784111777s);

std::optional<Duration> duration(const json& object, const char* name) {
  if (!object.contains(name)) return std::nullopt;
  return Duration(object.at(name).get<std::int64_t>());
}

RetryPolicy policy_of(const json& row) {
  const auto changes = row.value("policy", json::object());
  inferwire_test::refuse_others(
      changes, {"preset", "max_retries", "jitter", "timeouts", "errors_in_answers", "first_delay_ms",
                "max_delay_ms", "max_server_delay_ms", "budget_ms"});
  RetryPolicy policy;
  if (changes.value("preset", "") == "none") policy = RetryPolicy::none();
  if (changes.value("preset", "") == "rate_limit_patient") policy = RetryPolicy::rate_limit_patient();
  policy.max_retries = changes.value("max_retries", policy.max_retries);
  policy.jitter = changes.value("jitter", policy.jitter);
  policy.timeouts = changes.value("timeouts", policy.timeouts);
  policy.errors_in_answers = changes.value("errors_in_answers", policy.errors_in_answers);
  policy.first_delay = duration(changes, "first_delay_ms").value_or(policy.first_delay);
  policy.max_delay = duration(changes, "max_delay_ms").value_or(policy.max_delay);
  policy.max_server_delay = duration(changes, "max_server_delay_ms").value_or(policy.max_server_delay);
  if (const auto budget = duration(changes, "budget_ms")) policy.budget = budget;
  return policy;
}

class TableJudge final : public inferwire::RetryJudge {
 public:
  explicit TableJudge(json waits) : waits_(std::move(waits)) {}

  inferwire::Optional<Duration> judge(const inferwire::FailedAttempt& failed) noexcept override {
    const auto& wait = waits_.at(std::to_string(failed.error.status));
    return wait.is_null() ? std::nullopt : inferwire::Optional<Duration>(Duration(wait.get<std::int64_t>()));
  }

 private:
  json waits_;
};

/// The error that libcurl gives for a failure that the table names.
std::optional<Error> curl_error(const std::string& failure) {
  struct Row {
    const char* failure;
    CURLcode code;
    const char* text{""};
    long proxy_status{};
  };
  constexpr Row rows[] = {
      {"resolve", CURLE_COULDNT_RESOLVE_HOST},
      {"resolve_proxy", CURLE_COULDNT_RESOLVE_PROXY},
      {"connect", CURLE_COULDNT_CONNECT},
      {"tls_interrupted", CURLE_SSL_CONNECT_ERROR, "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection"},
      {"send", CURLE_SEND_ERROR},
      {"send_rewind", CURLE_SEND_FAIL_REWIND},
      {"receive", CURLE_RECV_ERROR},
      {"empty_reply", CURLE_GOT_NOTHING},
      {"cut_body", CURLE_PARTIAL_FILE},
      {"http2", CURLE_HTTP2},
      {"http2_stream", CURLE_HTTP2_STREAM},
      {"certificate", CURLE_PEER_FAILED_VERIFICATION},
      {"tls_handshake", CURLE_SSL_CONNECT_ERROR, "error:0A00042E:SSL routines::tlsv1 alert protocol version"},
      {"tls_setup", CURLE_SSL_CERTPROBLEM},
      {"bad_url", CURLE_URL_MALFORMAT},
      {"scheme", CURLE_UNSUPPORTED_PROTOCOL},
      {"ca_file", CURLE_SSL_CACERT_BADFILE},
      {"not_http", CURLE_WEIRD_SERVER_REPLY},
      {"out_of_memory", CURLE_OUT_OF_MEMORY},
      {"aborted", CURLE_ABORTED_BY_CALLBACK},
      {"proxy_password", CURLE_RECV_ERROR, "", 407},
  };
  for (const auto& row : rows) {
    if (failure == row.failure)
      return inferwire::http::error_of(
          {.code = row.code, .text = row.text, .proxy_status = row.proxy_status});
  }
  return std::nullopt;
}

Error failure_of(const json& step) {
  const auto failure = step.at("failure").get<std::string>();
  auto error = curl_error(failure).value_or(Error{});
  if (failure == "timer") {
    error = {.kind = ErrorKind::timeout, .timer = step.at("timer").get<std::string>(), .retryable = true};
  }
  if (failure == "truncated") error = {.kind = ErrorKind::truncated, .retryable = true};
  if (failure == "cancelled") error = inferwire::cancelled();
  if (failure == "decode") error.kind = ErrorKind::decode;
  if (failure == "too_large") error.kind = ErrorKind::too_large;
  error.status = step.value("status", 0);
  return error;
}

Error answer_of(const json& step) {
  const inferwire::ResponseHead head{.status = step.at("status"),
                                     .headers = inferwire_test::headers_of(step)};
  const auto body = step.value("body", "");
  if (head.status != 200) return inferwire::client::http_error(head, body, wall);
  auto facts = inferwire::wire::error_in_document(body);
  REQUIRE(facts);
  return inferwire::client::embedded_error(head, *std::move(facts), body);
}

/// One row: a call and its attempts.
class Play {
 public:
  explicit Play(const json& row)
      : policy_(policy_of(row)),
        machine_({.overall = duration(row.value("timeouts", json::object()), "overall_ms")}, policy_,
                 row.value("shape", "whole") == "stream" ? AnswerForm::stream : AnswerForm::whole) {
    if (row.contains("judge")) policy_.judge = std::make_shared<TableJudge>(row.at("judge"));
    for (int i = row.value("retries_before", 0); i > 0; --i) {
      machine_.on_attempt(now_);
      Error error{.kind = ErrorKind::server, .status = 500, .retryable = true};
      machine_.on_failure(error, now_);
      const auto at = machine_.next_attempt(error, {.headers = {}}, now_);
      REQUIRE(at);
      waited_ = std::chrono::duration_cast<Duration>(*at - now_);
      ++attempts_;
    }
  }

  void step(const json& step) {
    inferwire_test::refuse_others(step, {"failure", "timer", "status", "headers", "body", "delivered",
                                         "elapsed_ms", "renewable", "chance", "retry_after_ms", "then"});
    machine_.on_attempt(now_);
    ++attempts_;
    for (int i = step.value("delivered", 0); i > 0; --i) machine_.on_event();
    now_ += Duration(step.value("elapsed_ms", 0));
    const auto& expected = step.at("then");
    if (expected == "done") return;
    auto error = step.contains("failure") ? failure_of(step) : answer_of(step);
    const auto headers = inferwire_test::headers_of(step);
    const bool renewable = error.kind == ErrorKind::auth && step.value("renewable", false);
    machine_.on_failure(error, now_);
    const auto at = machine_.next_attempt(error,
                                          {.headers = headers,
                                           .renewed = renewable && machine_.may_renew(),
                                           .chance = step.value("chance", 0.0)},
                                          now_);
    CHECK(error.attempts.size() == attempts_);
    CHECK(error.attempts.back().status == error.status);
    CHECK(error.attempts.back().waited == waited_);
    if (step.contains("retry_after_ms")) CHECK(error.retry_after == duration(step, "retry_after_ms"));
    if (expected == "give up") {
      CHECK_FALSE(at);
      return;
    }
    REQUIRE(at);
    waited_ = std::chrono::duration_cast<Duration>(*at - now_);
    CHECK(waited_ == Duration(expected.get<std::int64_t>()));
    now_ = *at;
  }

 private:
  RetryPolicy policy_;
  CallMachine machine_;
  TimePoint now_{1000h};
  Duration waited_{};
  std::size_t attempts_{};
};

}  // namespace

TEST_CASE("attempts and waits are those of retry.json", "[retry]") {
  const auto rows = inferwire_test::vectors(
      "retry.json", {"name", "timeouts", "policy", "judge", "shape", "retries_before", "attempts"});
  CHECK(rows.size() >= 90);
  for (const auto& row : rows) {
    INFO(row.at("name").get<std::string>());
    Play play(row);
    for (const auto& step : row.at("attempts")) play.step(step);
  }
}
