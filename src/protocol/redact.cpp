#include "protocol/redact.hpp"

#include "base/ascii.hpp"
#include "base/percent.hpp"
#include "base/utf8.hpp"
#include "json/scanner.hpp"
#include "protocol/headers.hpp"
#include "protocol/url.hpp"

#include <algorithm>
#include <charconv>

namespace inferwire::inline v0_1::protocol {

namespace {

constexpr std::size_t shortest_secret = 6;
// A truncated key shorter than this reveals no more than which kind of key it is.
constexpr std::size_t shortest_piece = 8;
// Inside a text, shorter ones are more often words than half of a key.
constexpr std::size_t shortest_half = 12;

constexpr std::string_view harmless_headers[] = {"accept",
                                                 "age",
                                                 "apim-request-id",
                                                 "cache-control",
                                                 "cf-ray",
                                                 "connection",
                                                 "content-encoding",
                                                 "content-length",
                                                 "content-type",
                                                 "date",
                                                 "host",
                                                 "openai-processing-ms",
                                                 "openai-version",
                                                 "request-id",
                                                 "retry-after",
                                                 "retry-after-ms",
                                                 "server",
                                                 "traceparent",
                                                 "transfer-encoding",
                                                 "user-agent",
                                                 "via",
                                                 "x-amzn-errortype",
                                                 "x-amzn-requestid",
                                                 "x-amzn-sagemaker-content-type",
                                                 "x-databricks-request-id",
                                                 "x-litellm-call-id",
                                                 "x-request-id",
                                                 "x-should-retry"};

/// Endings of the names of members that hold keys, without `_` and `-`, in lower case. "tokens" is not among
/// them: it names counts.
constexpr std::string_view secret_endings[] = {"accesskey",   "apikey",    "authorization", "credential",
                                               "credentials", "passwd",    "password",      "privatekey",
                                               "secret",      "secretkey", "token",         "tokenvalue"};

/// Whether `name` ends with `ending`, which has neither `_` nor `-` nor capitals.
bool ends_with(std::string_view name, std::string_view ending) {
  while (!ending.empty()) {
    if (name.empty()) return false;
    const char c = name.back();
    name.remove_suffix(1);
    if (c == '_' || c == '-') continue;
    if (ascii::to_lower(c) != ending.back()) return false;
    ending.remove_suffix(1);
  }
  return true;
}

/// Scans JSON, complete or broken, including JSON texts inside its strings, whose quotes are preceded by
/// backslashes.
class Masker {
 public:
  explicit Masker(std::string_view text) : text_(text) {}

  std::string masked() {
    while (at_ < text_.size()) {
      const auto quote = quote_at(at_);
      if (quote == 0) {
        copy_to(step_from(at_));
      } else {
        take_string(quote);
      }
    }
    return std::move(out_);
  }

 private:
  /// The length of the quote at `at` with its backslashes; 0 if there is none.
  std::size_t quote_at(std::size_t at) const noexcept {
    const auto end = text_.find_first_not_of('\\', at);
    return end != text_.npos && text_[end] == '"' ? end - at + 1 : 0;
  }

  /// The position after what is at `at` and is not a quote. A run of backslashes is skipped at once:
  /// searching for the quote after it from each of them would take quadratic time.
  std::size_t step_from(std::size_t at) const noexcept {
    return text_[at] == '\\' ? std::min(text_.find_first_not_of('\\', at), text_.size()) : at + 1;
  }

  /// The nesting depth of a quote with its backslashes, `length` in all, in texts inside texts: 1, 2, 4 ...
  /// Each text doubles the backslashes of the one inside it and adds one before its quotes. The rest of the
  /// run are escaped backslashes of the string itself: they come in pairs, each as long as twice the depth.
  static constexpr std::size_t depth_of(std::size_t length) noexcept { return length & (~length + 1); }

  /// A quote with the backslashes that belong to it.
  struct Quote {
    std::size_t begin{};
    std::size_t end{};
  };

  /// The closing quote, at or after `begin`, of the string whose opening quote had `quote` characters.
  Quote end_of_string(std::size_t begin, std::size_t quote) const noexcept {
    for (auto at = begin; at < text_.size();) {
      const auto length = quote_at(at);
      // Deeper quotes are inside this string; less deep ones end the one around it.
      if (length != 0 && depth_of(length) <= depth_of(quote)) {
        return {at + length - std::min(depth_of(length), quote), at + length};
      }
      at = length != 0 ? at + length : step_from(at);
    }
    return {text_.size(), text_.size()};
  }

  void take_string(std::size_t quote) {
    const auto begin = at_ + quote;
    // The name of a member contains no quotes: a string that contains JSON is scanned instead.
    const auto end = text_.find('"', begin);
    if (end == text_.npos) {
      copy_to(begin);
      return;
    }
    const auto name_end = end + 1 - std::min(quote, end + 1 - begin);
    const auto name = text_.substr(begin, name_end - begin);
    const bool of_headers = is_headers_member(name);
    if (quote_at(name_end) != quote || !(of_headers || is_secret_member(name))) {
      copy_to(begin);
      return;
    }
    auto value = skip_space(name_end + quote);
    if (value == text_.size() || text_[value] != ':') {
      copy_to(begin);
      return;
    }
    value = skip_space(value + 1);
    copy_to(value);
    if (!of_headers || text_.substr(value).starts_with('{')) mask_value(quote);
  }

  std::size_t skip_space(std::size_t at) const noexcept {
    while (at < text_.size() && json::is_space(text_[at])) ++at;
    return at;
  }

  void mask_value(std::size_t quote) {
    if (quote_at(at_) == quote) {
      copy_to(at_ + quote);
      out_ += concealed;
      const auto last = end_of_string(at_, quote);
      at_ = last.begin;
      copy_to(last.end);
    } else if (at_ < text_.size() && (text_[at_] == '{' || text_[at_] == '[')) {
      out_ += concealed;
      at_ = end_of_nest(quote);
    } else if (text_.substr(at_, 4) != "null") {
      out_ += concealed;
      at_ = std::min(text_.find_first_of(",}] \t\r\n\\\"", at_), text_.size());
    }
  }

  /// The position after the object or list that begins here.
  std::size_t end_of_nest(std::size_t quote) const noexcept {
    int depth = 0;
    for (auto at = at_; at < text_.size();) {
      if (const auto length = quote_at(at); length == quote) {
        at = end_of_string(at + length, quote).end;
        continue;
      }
      const char c = text_[at++];
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) return at;
    }
    return text_.size();
  }

  void copy_to(std::size_t end) {
    out_ += text_.substr(at_, end - at_);
    at_ = end;
  }

  std::string_view text_;
  std::string out_{};
  std::size_t at_{};
};

/// The length of the prefix of `text` that represents `c`: itself, or escaped as in JSON (\c, \u00XX) or in a
/// URL (%XX); 0 if there is none.
std::size_t length_of_character(std::string_view text, char c) {
  if (text.starts_with('%') && percent_decode(text.substr(0, 3)) == std::string_view(&c, 1)) return 3;
  if (text.starts_with(c) && c != '\\') return 1;
  if (text.size() < 2 || text[0] != '\\') return 0;
  if (text[1] == c && std::string_view("\"\\/").find(c) != std::string_view::npos) return 2;
  unsigned code = 0;
  const auto digits = text.substr(0, 6).substr(2);
  const auto* const end = digits.data() + digits.size();
  const bool is_code =
      text[1] == 'u' && digits.size() == 4 && std::from_chars(digits.data(), end, code, 16).ptr == end;
  return is_code && code == static_cast<unsigned char>(c) ? 6 : 0;
}

/// The beginning of a secret, as a text repeats it.
struct Piece {
  std::size_t length{};      ///< in the text
  std::size_t characters{};  ///< how many of the secret
};

/// The longest piece of `secret` that `text` begins with, verbatim or escaped.
Piece piece_at(std::string_view text, std::string_view secret) {
  const auto same = static_cast<std::size_t>(std::ranges::mismatch(text, secret).in1 - text.begin());
  if (same == secret.size()) return {same, same};
  Piece escaped;
  for (const char c : secret) {
    const auto more = length_of_character(text.substr(escaped.length), c);
    if (more == 0) break;
    escaped.length += more;
    ++escaped.characters;
  }
  return escaped.characters < same ? Piece{same, same} : escaped;
}

/// Conceals each whole secret, and each piece of one for which `reveals(characters, ends_text)` is true.
template <class Reveals>
void conceal_pieces(std::string& text, std::string_view secret, Reveals reveals) {
  if (secret.size() < shortest_secret) return;
  const char first[] = {secret.front(), '\\', '%', '\0'};
  const std::string_view all = text;
  std::string out;  // a new text: replacing each in place would move the rest of the text each time
  std::size_t written = 0;
  for (std::size_t at = 0; (at = all.find_first_of(first, at)) != all.npos;) {
    const auto [length, characters] = piece_at(all.substr(at), secret);
    const bool whole = characters == secret.size();
    if (whole || reveals(characters, at + length == all.size())) {
      if (at >= written) (out += all.substr(written, at - written)) += concealed;
      written = std::max(written, at + length);
    }
    at += whole ? length : 1;  // the whole secret may begin in a piece
  }
  if (written == 0) return;
  out += all.substr(written);
  text = std::move(out);
}

/// Calls `visit` with the value of each parameter in the query of `url` whose name is that of a key.
template <class Visit>
void each_secret_parameter(std::string_view url, Visit visit) {
  for (auto query = split_url(url).query; !query.empty();) {
    const auto parameter = ascii::take_until(query, "&");
    const auto name = parameter.substr(0, parameter.find('='));
    if (name.size() < parameter.size() && is_secret_parameter(name)) visit(parameter.substr(name.size() + 1));
  }
}

}  // namespace

void conceal(std::string& text, std::string_view secret) {
  const auto half = std::max(shortest_half, secret.size() - secret.size() / 2);
  conceal_pieces(text, secret, [half](std::size_t characters, bool ends_text) {
    return characters >= (ends_text ? shortest_piece : half);
  });
}

void conceal_value(std::string& text, std::string_view value) {
  const auto space = value.find(' ');
  if (space == value.npos) return conceal(text, value);
  conceal_pieces(text, value, [](std::size_t, bool) { return false; });  // a piece may be the scheme alone
  conceal(text, ascii::trim(value.substr(space)));
}

void conceal_parameters(std::string& text, std::string_view url) {
  each_secret_parameter(url, [&text](std::string_view value) { conceal(text, percent_decode(value)); });
}

bool has_secret_parameter(std::string_view url) {
  bool found = false;
  each_secret_parameter(url, [&found](std::string_view) { found = true; });
  return found;
}

bool is_secret_member(std::string_view name) {
  return ascii::equal_ignoring_case(name, "string_value") ||
         std::ranges::any_of(secret_endings,
                             [name](std::string_view ending) { return ends_with(name, ending); });
}

bool is_headers_member(std::string_view name) { return ascii::equal_ignoring_case(name, "headers"); }

bool is_secret_parameter(std::string_view name) {
  const auto same = [name](std::string_view other) { return ascii::equal_ignoring_case(name, other); };
  constexpr std::string_view short_names[] = {"code", "sig"};  // Azure's
  return is_secret_member(name) || is_secret_header(name) || std::ranges::any_of(short_names, same);
}

bool is_harmless_header(std::string_view name, std::span<const std::string> also) {
  const auto same = [name](std::string_view other) { return ascii::equal_ignoring_case(name, other); };
  constexpr std::string_view families[] = {"x-ratelimit-", "anthropic-ratelimit-"};
  const auto lower = ascii::to_lower(name.substr(0, 32));
  return std::ranges::any_of(harmless_headers, same) || std::ranges::any_of(also, same) ||
         std::ranges::any_of(families, [&lower](auto family) { return lower.starts_with(family); });
}

std::vector<Header> shown_headers(std::vector<Header> headers, std::span<const std::string> also) {
  for (auto& [name, value] : headers) {
    if (!is_harmless_header(name, also)) value = concealed;
  }
  return headers;
}

std::string shown_body(std::string_view body, std::size_t most) {
  if (body.size() <= most) return Masker(body).masked();
  const auto shown = utf8::whole_characters(body, most);
  return Masker(shown).masked() + "... (" + std::to_string(body.size() - shown.size()) + " bytes more)";
}

std::string_view without_query(std::string_view url) noexcept { return url.substr(0, url.find('?')); }

std::string shown_origin(std::string_view url) {
  const auto [origin, host, path, query] = split_url(url);
  std::string shown(origin.substr(0, origin.size() - host.size()));
  return shown += host.substr(host.rfind('@') + 1);
}

std::string shown_url(std::string_view url) {
  auto shown = shown_origin(url);
  shown += split_url(url).path;
  return shown;
}

}  // namespace inferwire::inline v0_1::protocol
