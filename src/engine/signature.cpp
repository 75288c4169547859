#include "engine/signature.hpp"

#include "base/ascii.hpp"
#include "engine/auth.hpp"
#include "protocol/signing/sigv4.hpp"
#include "protocol/url.hpp"

#include <charconv>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {
namespace {

constexpr std::string_view algorithm = "AWS4-HMAC-SHA256 ";

/// The text after `name`, such as "Credential=", up to a comma; empty if it is absent.
std::string_view field(std::string_view authorization, std::string_view name) {
  const auto at = authorization.find(name);
  if (at == authorization.npos) return {};
  authorization.remove_prefix(at + name.size());
  return authorization.substr(0, authorization.find(','));
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  do {
    parts.push_back(ascii::take_until(text, separator));
  } while (!text.empty());
  return parts;
}

/// The time in an X-Amz-Date: "20150830T123600Z".
std::optional<std::chrono::system_clock::time_point> time_of(std::string_view date) {
  using namespace std::chrono;
  if (date.size() != 16 || date[8] != 'T' || date[15] != 'Z') return std::nullopt;
  const auto number = [date](std::size_t at, std::size_t size) {
    int value = -1;
    std::from_chars(date.data() + at, date.data() + at + size, value);
    return value;
  };
  const year_month_day day{year(number(0, 4)), month(static_cast<unsigned>(number(4, 2))),
                           std::chrono::day(static_cast<unsigned>(number(6, 2)))};
  if (!day.ok()) return std::nullopt;
  return sys_days(day) + hours(number(9, 2)) + minutes(number(11, 2)) + seconds(number(13, 2));
}

}  // namespace

std::optional<Refusal> check_signature(const HttpRequest& request, const AwsKeys& keys) {
  const auto authorization = find_header(request.headers, "authorization").value_or("");
  if (!authorization.starts_with(algorithm)) return refuse::no_signature();
  const auto scope = split(field(authorization, "Credential="), "/");  // key, day, region, service, the end
  const auto time = time_of(find_header(request.headers, "x-amz-date").value_or(""));
  if (scope.size() != 5 || !time) return refuse::wrong_signature();
  if (scope[0] != keys.access_key_id) return refuse::wrong_signature();

  HttpRequest as_signed{.method = request.method, .url = request.url, .body = request.body};
  for (const auto name : split(field(authorization, "SignedHeaders="), ";")) {
    auto value = find_header(request.headers, name);
    // In process, nothing adds the host.
    if (!value && name == "host") value = protocol::split_url(request.url).host;
    if (!value) return refuse::wrong_signature();
    as_signed.headers.push_back({std::string(name), std::string(*value)});
  }
  const auto own = protocol::sign_v4(as_signed, {keys.access_key_id, keys.secret_access_key.reveal()},
                                     {.region = scope[2], .service = scope[3]}, *time);
  if (!own) return refuse::failed(own.error().detail);
  if (!same_in_constant_time(field(authorization, "Signature="), own->signature)) {
    return refuse::wrong_signature();
  }
  return std::nullopt;
}

}  // namespace inferwire::inline v0_1::engine
