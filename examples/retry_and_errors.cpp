// Shows temporary and permanent failures: what is retried, how long that may take, and what an error reports
// about every attempt. The embedded engine plays a failing service.
//
// Prints, for each kind of failure, how it ended and what the error reports about every attempt.
#include "example.hpp"

#include <chrono>

using namespace inferwire;
using namespace std::chrono_literals;
namespace reply = inferwire::engine::reply;

namespace {
/// An engine whose rules make calls fail: one that asks for "busy" fails twice, those that ask for "closed",
/// "full" or "cut" every time.
std::shared_ptr<Transport> bad_day() {
  const reply::Failure busy{.status = 503, .message = "busy"};
  const reply::Failure full{.status = 429, .message = "come back tomorrow", .retry_after = 86'400};
  const engine::EngineOptions options{
      .script = {.rules = {{.when = {.last_user_contains = "busy"}, .times = 2, .replies = {busy}},
                           {.when = {.last_user_contains = "closed"}, .replies = {busy}},
                           {.when = {.last_user_contains = "full"}, .replies = {full}},
                           {.when = {.last_user_contains = "cut"}, .fault = {.cut_after_events = 6}}}}};
  return std::make_shared<engine::EngineTransport>(std::make_shared<engine::Engine>(options));
}

/// Has the final decision on retries: here, none if the service is busy.
struct Impatient final : RetryJudge {
  Optional<Duration> judge(const FailedAttempt& failed) noexcept override {
    return failed.error.kind == ErrorKind::overloaded ? std::nullopt : failed.wait;
  }
};

void tell(const Error& error) {
  std::cout << "  " << error.message() << '\n';
  for (const auto& attempt : error.attempts) {
    const auto what = attempt.failure.empty() ? "status " + std::to_string(attempt.status) : attempt.failure;
    std::cout << "  - " << what << ", begun after a wait of " << attempt.waited.count() << " ms\n";
  }
  if (error.retry_after)
    std::cout << "  the service wants a wait of " << error.retry_after->count() << " ms\n";
}
}  // namespace

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "retry_and_errors", "inferwire-toy");
  auto options = example::options(arguments);
  if (options.transport) options.transport = bad_day();
  options.retry = {.max_retries = 2, .first_delay = 20ms};  // the default is 500 ms
  options.timeouts.overall = 30s;                           // all attempts and the waits between them
  const Client client(options);
  const auto ask = [&arguments](const char* what) {
    return chat::Request{.model = arguments.model, .messages = {chat::user(what)}, .max_tokens = 16};
  };

  ResponseInfo info;
  const auto passed = client.chat.create(ask("busy"), {.info = &info});
  if (!passed) return example::fail(passed.error());
  std::cout << "A service that is busy for a while: answered in attempt " << info.attempts << '\n';

  std::cout << "One that wants a longer wait than the policy allows (RetryPolicy::max_server_delay):\n";
  if (const auto full = client.chat.create(ask("full")); !full) tell(full.error());

  const RetryPolicy own{.judge = std::make_shared<Impatient>()};
  std::cout << "A policy of one's own, which gives up on whoever is busy:\n";
  if (const auto closed = client.chat.create(ask("closed"), {.retry = own}); !closed) tell(closed.error());

  // A stream that breaks is not retried: delivered elements cannot be taken back.
  const auto partial = client.chat.stream(ask("cut")).collect();
  std::cout << "A stream that breaks off keeps what had come: \"" << partial.response.text() << "\"\n";
  if (partial.error) tell(*partial.error);
}
