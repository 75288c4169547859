#include "protocol/signing/sigv4.hpp"

#include "base/ascii.hpp"
#include "base/percent.hpp"
#include "protocol/signing/sha256.hpp"
#include "protocol/url.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::protocol {

namespace {

constexpr std::string_view algorithm = "AWS4-HMAC-SHA256";
constexpr std::string_view terminator = "aws4_request";

/// The path without empty and dot segments, each segment escaped.
std::string canonical_path(std::string_view path) {
  std::vector<std::string_view> kept;
  for (auto rest = path; !rest.empty();) {
    const auto segment = ascii::take_until(rest, "/");
    if (segment == "..") {
      if (!kept.empty()) kept.pop_back();
    } else if (!segment.empty() && segment != ".") {
      kept.push_back(segment);
    }
  }
  std::string out;
  for (const auto segment : kept) out += "/" + percent_encode_segment(segment);
  if (out.empty() || path.ends_with('/')) out += '/';
  return out;
}

/// The sorted parameters; they are already escaped in the URL.
std::string canonical_query(std::string_view query) {
  std::vector<std::pair<std::string_view, std::string_view>> parameters;
  while (!query.empty()) {
    auto value = ascii::take_until(query, "&");
    if (value.empty()) continue;
    const auto name = ascii::take_until(value, "=");
    parameters.emplace_back(name, value);
  }
  std::ranges::sort(parameters);
  std::string out;
  for (const auto& [name, value] : parameters) {
    if (!out.empty()) out += '&';
    out.append(name).append("=").append(value);
  }
  return out;
}

/// The value without surrounding white space, and with runs of spaces collapsed to one.
std::string canonical_value(std::string_view value) {
  std::string out;
  for (const char c : ascii::trim(value)) {
    if (c != ' ' || !out.ends_with(' ')) out += c;
  }
  return out;
}

/// The sorted headers; values with the same name are joined.
std::map<std::string, std::string> canonical_headers(const std::vector<Header>& headers) {
  std::map<std::string, std::string> out;
  for (const auto& header : headers) {
    auto [at, is_new] = out.try_emplace(ascii::to_lower(header.name));
    if (!is_new) at->second += ',';
    at->second += canonical_value(header.value);
  }
  return out;
}

/// A chain of HMACs whose last link is the signature; nothing if a link failed.
std::optional<Sha256> signature(std::string_view secret, std::initializer_list<std::string_view> links) {
  std::string key = "AWS4" + std::string(secret);
  std::optional<Sha256> digest;
  for (const auto link : links) {
    digest = hmac_sha256(key, link);
    if (!digest) return digest;
    key = view(*digest);
  }
  return digest;
}

Error cannot_sign() {
  return problem_with_signing().value_or(
      Error{.kind = ErrorKind::config, .detail = "libcrypto refuses to compute SHA-256"});
}

}  // namespace

std::string amz_date(std::chrono::system_clock::time_point time) {
  using namespace std::chrono;
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(floor<seconds>(time - day));
  std::string out;
  const auto put = [&out](std::int64_t number, int width) {
    std::string digits = std::to_string(number);
    out.append(static_cast<std::size_t>(std::max(0, width - static_cast<int>(digits.size()))), '0');
    out += digits;
  };
  put(static_cast<int>(date.year()), 4);
  put(static_cast<unsigned>(date.month()), 2);
  put(static_cast<unsigned>(date.day()), 2);
  out += 'T';
  put(clock.hours().count(), 2);
  put(clock.minutes().count(), 2);
  put(clock.seconds().count(), 2);
  out += 'Z';
  return out;
}

std::optional<Error> problem_with_signing() {
  if (has_sha256()) return std::nullopt;
  return Error{.kind = ErrorKind::unsupported,
               .detail =
                   "this build of inferwire cannot sign requests for AWS: it was made without "
                   "INFERWIRE_SIGV4"};
}

Result<SigV4Signature> sign_v4(const HttpRequest& request, const SigV4Keys& keys, const SigV4Scope& scope,
                               std::chrono::system_clock::time_point time) {
  const auto target = split_url(request.url);
  const auto body = sha256(request.body);
  if (!body) return cannot_sign();
  SigV4Signature out;
  std::string headers;
  for (const auto& [name, value] : canonical_headers(request.headers)) {
    headers += name + ":" + value + "\n";
    if (!out.signed_headers.empty()) out.signed_headers += ';';
    out.signed_headers += name;
  }
  out.canonical_request = request.method + "\n" + canonical_path(target.path) + "\n" +
                          canonical_query(target.query) + "\n" + headers + "\n" + out.signed_headers + "\n" +
                          hex(*body);
  const auto date = amz_date(time);
  const auto day = std::string_view(date).substr(0, 8);
  for (const auto part : {day, scope.region, scope.service, terminator}) {
    if (!out.scope.empty()) out.scope += '/';
    out.scope += part;
  }
  const auto canonical = sha256(out.canonical_request);
  if (!canonical) return cannot_sign();
  out.string_to_sign = std::string(algorithm) + "\n" + date + "\n" + out.scope + "\n" + hex(*canonical);
  const auto signed_by =
      signature(keys.secret_access_key, {day, scope.region, scope.service, terminator, out.string_to_sign});
  if (!signed_by) return cannot_sign();
  out.signature = hex(*signed_by);
  out.authorization = std::string(algorithm) + " Credential=" + std::string(keys.access_key_id) + "/" +
                      out.scope + ", SignedHeaders=" + out.signed_headers + ", Signature=" + out.signature;
  return out;
}

}  // namespace inferwire::inline v0_1::protocol
