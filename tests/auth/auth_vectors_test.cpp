// Runs tests/vectors/auth.json: a vector contains the settings, the answers of services, and the expected
// requests and errors.
#include "auth/databricks/settings.hpp"
#include "auth/fetch/form.hpp"
#include "inferwire/credential.hpp"
#include "inferwire/provider.hpp"
#include "protocol/signing/sha256.hpp"
#include "support/catch.hpp"
#include "support/fake_environment.hpp"
#include "support/vectors.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace inferwire;
using namespace inferwire_test;
using nlohmann::json;

namespace {

const Instant start{inferwire::TimePoint(std::chrono::hours(1)),
                    std::chrono::system_clock::time_point(std::chrono::seconds(1767225600))};

std::shared_ptr<FakeEnvironment> environment_of(const json& vector) {
  auto variables = vector.value("env", FakeEnvironment::Texts{});
  variables.emplace("HOME", "/home/u");
  return std::make_shared<FakeEnvironment>(std::move(variables),
                                           vector.value("files", FakeEnvironment::Texts{}));
}

std::shared_ptr<Credential> databricks(const json& arguments, std::shared_ptr<FakeEnvironment> environment) {
  DatabricksOptions options{.environment = std::move(environment)};
  for (const auto& [attribute, member] : auth::databricks_attributes()) {
    const auto value = arguments.value(std::string(attribute.name), std::string());
    if (const auto* text = std::get_if<std::string DatabricksOptions::*>(&member)) {
      options.*(*text) = value;
    } else {
      options.*std::get<Secret DatabricksOptions::*>(member) = Secret(value);
    }
  }
  return Credential::databricks(std::move(options));
}

std::shared_ptr<Credential> credential_of(const json& vector) {
  const auto arguments = vector.value("arguments", json::object());
  const auto provider = vector["provider"].get<std::string>();
  auto environment = environment_of(vector);
  const auto text = [&arguments](const char* name) { return arguments.value(name, std::string()); };
  if (provider == "databricks") return databricks(arguments, std::move(environment));
  if (provider == "aws") {
    return Credential::sigv4({.access_key_id = text("access_key_id"),
                              .secret_access_key = Secret(text("secret_access_key")),
                              .session_token = Secret(text("session_token")),
                              .region = text("region"),
                              .profile = text("profile"),
                              .environment = std::move(environment)});
  }
  const auto row = provider == "openai" ? Provider::openai()
                   : provider == "ai21" ? Provider::ai21()
                                        : Provider::lmi();
  return row.auth.scheme(row.auth, {.key = Secret(text("token")), .environment = std::move(environment)});
}

void check_headers(const std::vector<inferwire::Header>& headers, const json& expected) {
  for (const auto& [name, value] : expected.items()) {
    CAPTURE(name);
    const auto sent = find_header(headers, name);
    if (value.is_null()) {
      CHECK_FALSE(sent);
      continue;
    }
    auto wanted = value.get<std::string>();
    if (!wanted.ends_with('*')) {
      CHECK(sent.value_or("") == wanted);
    } else {
      wanted.pop_back();
      CHECK(sent.value_or("").starts_with(wanted));
    }
  }
}

/// Checks a request that had no header before: it has those of the vector, and no other.
void check_all_headers(const std::vector<inferwire::Header>& headers, const json& expected) {
  check_headers(headers, expected);
  const auto sent =
      std::count_if(expected.begin(), expected.end(), [](const json& value) { return !value.is_null(); });
  CHECK(headers.size() == static_cast<std::size_t>(sent));
}

void check_request(const HttpRequest& request, const json& expected) {
  refuse_others(expected, {"method", "url", "headers", "form"});
  CHECK(request.method == expected["method"].get<std::string>());
  CHECK(request.url == expected["url"].get<std::string>());
  check_headers(request.headers, expected.value("headers", json::object()));
  if (!expected.contains("form")) return;
  CHECK(find_header(request.headers, "Content-Type") == "application/x-www-form-urlencoded");
  const auto body = "&" + request.body.text() + "&";
  for (const auto& [name, value] : expected["form"].items()) {
    const auto text = value.get<std::string>();
    CHECK_THAT(body, contains("&" + auth::form_encode({{name, text}}) + "&"));
  }
  CHECK(static_cast<std::size_t>(std::ranges::count(body, '&')) == expected["form"].size() + 1);
}

/// Gives the credential the script's answer.
void answer(Credential& credential, const json& step) {
  refuse_others(step, {"request", "run", "fails", "status", "answer_headers", "body"});
  if (step.contains("fails")) {
    const bool timeout = step["fails"] == "timeout";
    credential.failed({.kind = timeout                     ? ErrorKind::timeout
                               : step["fails"] == "config" ? ErrorKind::config
                                                           : ErrorKind::connection,
                       .timer = timeout ? "total" : "",
                       .url = step.contains("request") ? step["request"]["url"].get<std::string>() : ""},
                      start);
    return;
  }
  inferwire::ResponseHead head{.status = step.value("status", 200)};
  const auto headers = step.value("answer_headers", json::object());
  for (const auto& [name, value] : headers.items()) {
    head.headers.add(name, value.get<std::string>());
  }
  const auto body = step.value("body", json(""));
  credential.accept(head, body.is_string() ? body.get<std::string>() : body.dump(), start);
}

/// Plays the script until the credential is ready or gives up.
Credential::Prepared play(Credential& credential, HttpRequest& request, const json& script) {
  for (std::size_t next = 0;; ++next) {
    auto prepared = credential.prepare(request, start);
    const auto* fetch = std::get_if<Credential::Fetch>(&prepared);
    const auto* run = std::get_if<Credential::Run>(&prepared);
    if (fetch == nullptr && run == nullptr) {
      CHECK(next == script.size());
      return prepared;
    }
    CAPTURE(next);
    REQUIRE(next < script.size());
    if (fetch != nullptr) check_request(fetch->request, script[next]["request"]);
    if (run != nullptr) CHECK(run->command == script[next]["run"].get<std::vector<std::string>>());
    answer(credential, script[next]);
  }
}

/// The texts that must not be in any error or report.
std::vector<std::string> secrets_of(const json& vector) {
  auto secrets = vector.value("never", std::vector<std::string>{});
  for (const auto* word : {"dapi-", "dose", "pw-1", "jwt-1", "key-1", "tk-1", "secret-text"}) {
    secrets.emplace_back(word);
  }
  return secrets;
}

/// Checks that no token of the request is shown when a server's answer repeats it.
void check_concealed(Credential& credential, const HttpRequest& request) {
  for (const auto& [name, value] : request.headers) {
    constexpr std::string_view bearer = "Bearer ";
    const bool is_bearer = name == "Authorization" && value.starts_with(bearer);
    if (!is_bearer && name != "X-Amz-Security-Token" && name != "X-Databricks-Azure-SP-Management-Token")
      continue;
    const auto token = is_bearer ? value.substr(bearer.size()) : value;
    if (token.size() < 6) continue;  // too short to be told from a word
    std::string text = "not known: " + token + ".";
    credential.conceal(text);
    CHECK(text == "not known: ***.");
  }
}

/// Checks that the grant serves alone until so long from the start, and that the next one is got by the same
/// script.
void check_renewal(Credential& credential, std::uint64_t version, const json& vector) {
  const auto serves_after = [&credential](std::chrono::seconds passed) {
    HttpRequest request{.url = "https://h.test/"};
    const auto prepared = credential.prepare(request, {start.steady + passed, start.wall + passed});
    return std::holds_alternative<Credential::Ready>(prepared);
  };
  const std::chrono::seconds time(vector["renewed_after"].get<int>());
  CHECK(serves_after(time - std::chrono::seconds(1)));
  CHECK_FALSE(serves_after(time));
  CHECK(credential.refused(version));
  HttpRequest request{.url = "https://h.test/"};
  CHECK(std::holds_alternative<Credential::Ready>(play(credential, request, vector["script"])));
}

std::string text_of(const AuthReport& report) {
  std::string text = report.method + report.base_url;
  for (const auto& [name, value, source] : report.settings) text += name + value + source;
  for (const auto& [method, reason] : report.rejected) text += method + reason;
  for (const auto& note : report.notes) text += note;
  return text + (report.problem ? report.problem->message() : "");
}

void check(const json& vector) {
  const auto credential = credential_of(vector);
  HttpRequest request{.url = "https://h.test/"};
  const auto prepared = play(*credential, request, vector.value("script", json::array()));
  const auto report = credential->describe();
  for (const auto& setting : report.settings) CHECK_FALSE(setting.value.empty());
  auto told = text_of(report);
  if (const auto* error = std::get_if<Error>(&prepared)) {
    told += error->message() + error->url;
    CAPTURE(error->message());
    REQUIRE(vector.contains("error"));
    refuse_others(vector["error"], {"kind", "code", "says"});
    CHECK(name(error->kind) == vector["error"]["kind"].get<std::string>());
    if (vector["error"].contains("code")) CHECK(error->code == vector["error"]["code"].get<std::string>());
    for (const auto& text : vector["error"]["says"])
      CHECK_THAT(error->detail, contains(text.get<std::string>()));
  } else {
    const auto* ready = std::get_if<Credential::Ready>(&prepared);
    REQUIRE(ready != nullptr);
    REQUIRE(vector.contains("method"));
    CHECK(report.method == vector["method"].get<std::string>());
    CHECK_FALSE(report.problem);
    check_all_headers(request.headers, vector["headers"]);
    check_concealed(*credential, request);
    if (vector.contains("renewed_after")) check_renewal(*credential, ready->version, vector);
  }
  if (vector.contains("host"))
    CHECK(credential->base_url("").value_or("") == vector["host"].get<std::string>());
  const auto notes = vector.value("notes", json::array());
  for (const auto& note : notes) CHECK_THAT(told, contains(note.get<std::string>()));
  for (const auto& secret : secrets_of(vector)) CHECK(told.find(secret) == std::string::npos);
}

}  // namespace

TEST_CASE("credentials are found, fetched and refused as auth.json says") {
  const auto rows = inferwire_test::vectors(
      "auth.json", {"name", "provider", "env", "files", "arguments", "script", "method", "headers",
                    "renewed_after", "host", "error", "notes", "never"});
  CHECK(rows.size() >= 70);
  for (const auto& vector : rows) {
    if (vector["provider"] == "aws" && !inferwire::protocol::has_sha256()) continue;
    CAPTURE(vector["name"].get<std::string>());
    check(vector);
  }
}
