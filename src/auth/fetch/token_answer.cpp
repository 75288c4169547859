#include "auth/fetch/token_answer.hpp"

#include "base/utf8.hpp"
#include "json/text_at.hpp"
#include "protocol/date.hpp"

#include <cmath>
#include <initializer_list>
#include <utility>

namespace inferwire::inline v0_1::auth {

namespace {

using WallTime = std::chrono::system_clock::time_point;

std::string first_text(const Json& answer, std::initializer_list<std::string_view> pointers) {
  for (const std::string_view pointer : pointers) {
    if (auto text = json::text_at(answer, pointer); !text.empty()) return text;
  }
  return {};
}

/// A number of seconds, which some servers send as text.
std::optional<std::chrono::seconds> seconds_at(const Json& json, std::string_view pointer) {
  const auto value = json.find(pointer);
  if (!value) return std::nullopt;
  const auto plain = value->is_string() ? Json::raw(*value->as_string()) : *value;
  const auto number = plain.is_number() ? plain.as_double() : std::nullopt;
  if (!number || !(*number >= 0 && *number <= double{latest_second})) return std::nullopt;
  return std::chrono::seconds(std::llround(*number));
}

std::optional<WallTime> end_of_life(const Json& answer, Instant now) {
  if (const auto life = seconds_at(answer, "/expires_in")) return now.wall + *life;
  if (const auto date = seconds_at(answer, "/expires_on")) return WallTime(*date);
  return protocol::parse_timestamp(json::text_at(answer, "/expiry"));
}

}  // namespace

Result<AccessToken> read_token(std::string_view service, const ResponseHead& head, std::string_view body,
                               Instant now) {
  if (head.status < 200 || head.status > 299) return refusal(service, head, body);
  const auto answer = Json::parse(body);
  if (!answer) return not_a_token(service, "no JSON");
  auto token = json::text_at(*answer, "/access_token");
  if (token.empty()) return not_a_token(service, "JSON without an access_token");
  return AccessToken{std::move(token), end_of_life(*answer, now)};
}

Error refusal(std::string_view service, const ResponseHead& head, std::string_view body) {
  Error error{.kind = ErrorKind::auth,
              .detail = std::string(service) + " gave no token",
              .status = head.status,
              .retryable = head.status == 429 || head.status >= 500};
  const auto answer = Json::parse(body);
  if (!answer) return error;
  error.code = excerpt(first_text(*answer, {"/error", "/errorCode", "/error_code"}));
  const auto why = excerpt(first_text(*answer, {"/error_description", "/errorSummary", "/message"}));
  if (!why.empty()) error.detail += ": " + why;
  return error;
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t longest = 300;
  return std::string(utf8::whole_characters(text, longest));
}

Error not_a_token(std::string_view service, std::string_view what) {
  return {.kind = ErrorKind::auth,
          .detail = std::string(service) + " answered with " + std::string(what) + " instead of a token"};
}

}  // namespace inferwire::inline v0_1::auth
