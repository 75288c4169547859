// Runs tests/vectors/tokens.json: calls that share one token, on scripted clocks.
#include "auth/fetch/oauth_source.hpp"
#include "auth/fetch/token_answer.hpp"
#include "inferwire/credential.hpp"
#include "support/catch.hpp"
#include "support/vectors.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>

using namespace inferwire;
using nlohmann::json;

namespace {

/// The state of one call.
struct Call {
  std::optional<Credential::Fetch> fetch;
  CancelToken waits_for;
  std::uint64_t version{};
};

class Script {
 public:
  void play(const json& step) {
    inferwire_test::refuse_others(step, {"pass", "wall", "call", "asks", "answer", "status", "fails", "dies",
                                         "is_refused", "may_go_on"});
    if (step.contains("pass")) pass(step["pass"], step["pass"]);
    if (step.contains("wall")) pass(0, step["wall"]);
    if (!step.contains("call")) return;
    auto& call = calls_[step["call"]];
    if (step.contains("asks")) CHECK(ask(call) == step["asks"].get<std::string>());
    if (step.contains("answer")) {
      REQUIRE(call.fetch);
      credential_->accept({.status = step.value("status", 200)}, step["answer"].dump(), now_);
      call.fetch.reset();
    }
    if (step.contains("fails")) {
      REQUIRE(call.fetch);
      credential_->failed(failure(step["fails"]), now_);
      call.fetch.reset();
    }
    if (step.contains("dies")) call.fetch.reset();
    if (step.contains("is_refused")) CHECK(credential_->refused(call.version) == step["is_refused"]);
    if (step.contains("may_go_on")) CHECK(call.waits_for.cancelled() == step["may_go_on"]);
  }

 private:
  void pass(double steady, double wall) {
    using Seconds = std::chrono::duration<double>;
    now_.steady += std::chrono::round<std::chrono::milliseconds>(Seconds(steady));
    now_.wall += std::chrono::round<std::chrono::milliseconds>(Seconds(wall));
  }

  std::string ask(Call& call) {
    HttpRequest request{.url = "https://h.test/"};
    auto prepared = credential_->prepare(request, now_);
    if (auto* fetch = std::get_if<Credential::Fetch>(&prepared)) {
      call.fetch = std::move(*fetch);
      return "fetch";
    }
    if (auto* wait = std::get_if<Credential::Wait>(&prepared)) {
      call.waits_for = wait->over;
      return "wait";
    }
    if (const auto* error = std::get_if<Error>(&prepared)) {
      return "error " + std::string(inferwire::name(error->kind));
    }
    call.version = std::get<Credential::Ready>(prepared).version;
    const auto value = std::string(find_header(request.headers, "Authorization").value_or(""));
    return value.starts_with("Bearer ") ? value.substr(7) : "no bearer token";
  }

  static Error failure(const std::string& why) {
    if (why == "cancelled") return {.kind = ErrorKind::cancelled};
    if (why == "connection") return {.kind = ErrorKind::connection};
    return {.kind = ErrorKind::timeout, .timer = why};
  }

  std::shared_ptr<Credential> credential_ = Credential::refreshing(
      inferwire::auth::oauth_source({.token_url = "https://h.test/token"}, inferwire::auth::ClientSecret{}));
  Instant now_{inferwire::TimePoint(std::chrono::hours(1)),
               std::chrono::system_clock::time_point(std::chrono::seconds(1767225600))};
  std::map<std::string, Call> calls_;
};

}  // namespace

TEST_CASE("tokens are kept, renewed and shared as tokens.json says") {
  const auto rows = inferwire_test::vectors("tokens.json", {"name", "steps"});
  for (const auto& vector : rows) {
    const auto name = vector["name"].get<std::string>();
    Script script;
    for (std::size_t i = 0; i < vector["steps"].size(); ++i) {
      CAPTURE(name, i, vector["steps"][i].dump());
      script.play(vector["steps"][i]);
    }
  }
  CHECK(rows.size() >= 25);
}

TEST_CASE("a token service's message is cut between characters") {
  const json body{{"error", "invalid_client"}, {"error_description", std::string(299, 'x') + "ä"}};
  const auto error = inferwire::auth::refusal("it", {.status = 401}, body.dump());
  CHECK(error.detail == "it gave no token: " + std::string(299, 'x'));
}

TEST_CASE("a token service that is busy or broken may be asked again") {
  for (const int status : {429, 500, 503})
    CHECK(inferwire::auth::refusal("it", {.status = status}, "").retryable);
  for (const int status : {400, 401, 403})
    CHECK_FALSE(inferwire::auth::refusal("it", {.status = status}, "").retryable);
}
