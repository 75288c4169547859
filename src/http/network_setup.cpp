#include "http/network_setup.hpp"

#include "base/ascii.hpp"
#include "base/host.hpp"
#include "http/curl_handle.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <new>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::http {

namespace {

/// How long the certificates of a given file are kept in memory. By default libcurl notices a replaced file
/// after up to a day. Reading a file of all public authorities takes about 40 ms of CPU time, for each multi
/// handle; therefore libcurl's default applies where no file is given.
constexpr long most_seconds_of_old_trust = 60;

Error config(std::string detail) { return {.kind = ErrorKind::config, .detail = std::move(detail)}; }

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

/// Whether the environment sets a proxy whose URL fits, in a variable that libcurl reads. (HTTP_PROXY is also
/// how a web server passes its client's `Proxy` header.)
template <class Fits>
bool has_proxy_in_environment(Fits fits) {
  constexpr const char* names[] = {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
  return std::ranges::any_of(names, [&](const char* name) { return fits(environment(name)); });
}
bool has_proxy_in_environment() {
  return has_proxy_in_environment([](const std::string& url) { return !url.empty(); });
}

/// Whether the proxy is given a user's name, in the options or in its URL.
bool names_proxy_user(const NetworkOptions& options) {
  if (!options.proxy_user.empty() || options.proxy) return !options.proxy_user.empty();
  return has_proxy_in_environment([](const std::string& url) { return url.find('@') != url.npos; });
}

/// The hosts without proxy: a key that may be sent to loopback unencrypted must not be sent to a proxy.
std::string without_loopback(std::optional<std::string> no_proxy) {
  if (!no_proxy) {
    no_proxy = environment("no_proxy");
    if (no_proxy->empty()) no_proxy = environment("NO_PROXY");
  }
  if (!no_proxy->empty() && *no_proxy != "*") *no_proxy += ',';
  if (*no_proxy != "*") *no_proxy += "localhost,127.0.0.1,127.0.0.0/8,::1";
  return *no_proxy;
}

/// Whether the options leave it to libcurl which certificates to trust.
bool trusts_default(const NetworkOptions& options) noexcept {
  return options.ca_file.empty() && options.ca_pem.empty() && !options.native_ca;
}

bool breaks_off(std::string_view text) noexcept { return text.find('\0') != text.npos; }

/// Whether libcurl supports the proxy's scheme; "host:port" means http.
bool is_proxy(std::string_view url) {
  constexpr std::string_view schemes[] = {"http", "https", "socks4", "socks4a", "socks5", "socks5h"};
  const auto end = url.find("://");
  const auto is_scheme = [&](std::string_view scheme) {
    return ascii::equal_ignoring_case(scheme, url.substr(0, end));
  };
  return end == url.npos || std::ranges::any_of(schemes, is_scheme);
}

std::optional<Error> problem_with(const PinnedHost& pinned) {
  const auto& [host, port, addresses] = pinned;
  if (host.empty() || addresses.empty()) return config("a pinned host has no name or no address");
  if (breaks_off(host) || std::ranges::any_of(addresses, breaks_off))
    return config("a pinned host holds NUL");
  // To libcurl these mean other things than a name; "*" is every host.
  if (std::string_view("*+-").find(host.front()) != std::string_view::npos)
    return config("a pinned host begins with *, + or -");
  const auto is_here = [](std::string_view address) { return is_loopback(address); };
  if (is_loopback(host) && !std::ranges::all_of(addresses, is_here))
    return config("a pinned host is loopback, where keys may go unencrypted, and has an address elsewhere");
  return std::nullopt;
}

bool has_client_certificate(const NetworkOptions& options) {
  return !options.client_certificate_file.empty() || !options.client_certificate_pem.empty();
}

std::optional<Error> problem_with(const NetworkOptions& options) {
  if (options.proxy && !is_proxy(*options.proxy))
    return config("the URL of the proxy has a scheme other than http, https and socks");
  if (options.proxy && options.proxy->find('@') != std::string::npos)
    return config(
        "the URL of the proxy has a user's name in it; credentials are given by NetworkOptions::proxy_user");
  if (!options.ca_file.empty() && !options.ca_pem.empty())
    return config("certificates to trust are given twice, as a file and as text");
  if (!options.client_certificate_file.empty() && !options.client_certificate_pem.empty())
    return config("the client's certificate is given twice, as a file and as text");
  if (!options.client_key_file.empty() && !options.client_key_pem.empty())
    return config("the client's key is given twice, as a file and as text");
  if (options.max_redirects < 0) return config("NetworkOptions::max_redirects is below zero");
  constexpr auto none = std::chrono::seconds(0);
  if (options.max_idle <= none || options.keep_alive.value_or(options.max_idle) <= none ||
      options.max_age.value_or(options.max_idle) <= none)
    return config("NetworkOptions::keep_alive, max_idle and max_age have to be above zero");
  for (const std::string_view text :
       {std::string_view(options.proxy_user), options.proxy_password.reveal(),
        std::string_view(options.unix_socket), std::string_view(options.local_interface),
        options.proxy ? std::string_view(*options.proxy) : "",
        options.no_proxy ? std::string_view(*options.no_proxy) : "", std::string_view(options.ca_file),
        std::string_view(options.client_certificate_file), std::string_view(options.client_key_file),
        options.client_key_password.reveal()}) {
    if (breaks_off(text)) return config("an option of the network holds NUL");
  }
  if (!has_client_certificate(options)) {
    if (!options.client_key_file.empty() || !options.client_key_pem.empty())
      return config("the client has a key, but no certificate");
    if (!options.client_key_password.empty())
      return config("the client has a password for its key, but no certificate");
  }
  for (const auto& pinned : options.resolve) {
    if (auto problem = problem_with(pinned)) return problem;
  }
  return std::nullopt;
}

/// A libcurl without HTTP/2 returns an error when asked for it.
bool libcurl_has_http2() { return (curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_HTTP2) != 0; }

/// Sets options in the types that NetworkOptions have.
class Setter {
 public:
  explicit Setter(CurlHandle& handle) noexcept : handle_(handle) {}

  void set(CURLoption option, long value) noexcept { handle_.set(option, value); }
  /// At most 68 years: on some machines a long has 32 bits.
  void set(CURLoption option, std::chrono::seconds time) noexcept {
    constexpr std::chrono::seconds most(std::numeric_limits<std::int32_t>::max());
    set(option, static_cast<long>(std::min(time, most).count()));
  }
  /// An empty text leaves the option unchanged.
  void set(CURLoption option, const std::string& text) noexcept {
    if (!text.empty()) force(option, text);
  }
  void force(CURLoption option, const std::string& text) noexcept { handle_.set(option, text.c_str()); }
  void set(CURLoption option, const Secret& secret) {
    if (!secret.empty()) set(option, std::string(secret.reveal()));
  }
  /// Sets an option if this libcurl has it.
  template <class T>
  void set_if_known(CURLoption option, T value) noexcept {
    const auto code = curl_easy_setopt(handle_.get(), option, value);
    if (code != CURLE_NOT_BUILT_IN && code != CURLE_UNKNOWN_OPTION) handle_.note(code);
  }
  void set_blob(CURLoption option, std::string_view text) noexcept {
    if (text.empty()) return;
    curl_blob blob{const_cast<char*>(text.data()), text.size(), CURL_BLOB_COPY};
    handle_.set(option, &blob);
  }

 private:
  CurlHandle& handle_;
};

void set_proxy(Setter& setter, const NetworkOptions& options, const std::string& no_proxy) {
  if (options.proxy) setter.force(CURLOPT_PROXY, *options.proxy);
  setter.force(CURLOPT_NOPROXY, no_proxy);
  setter.set(CURLOPT_PROXYUSERNAME, options.proxy_user);
  setter.set(CURLOPT_PROXYPASSWORD, options.proxy_password);
}

/// Whether libcurl's TLS backend has one of the names. Backends in parentheses are not in use.
bool uses_tls_of(std::initializer_list<std::string_view> names) {
  const char* const version = curl_version_info(CURLVERSION_NOW)->ssl_version;
  const std::string_view backends = version != nullptr ? version : "";
  return std::ranges::any_of(names, [backends](std::string_view name) {
    const auto at = backends.find(name);
    return at != backends.npos && (at == 0 || backends[at - 1] != '(');
  });
}

/// A directory without certificates. Newer libcurls replace a null by their default, which OpenSSL and its
/// derivatives would search in addition; other backends require a directory that exists.
const char* no_directory() {
  return uses_tls_of({"OpenSSL", "LibreSSL", "BoringSSL", "AWS-LC", "quictls"}) ? "/dev/null/none" : nullptr;
}

void set_tls(Setter& setter, const NetworkOptions& options, const std::string& default_ca_file) {
  setter.set(CURLOPT_SSL_VERIFYPEER, 1L);
  setter.set(CURLOPT_SSL_VERIFYHOST, 2L);
  const long version =
      options.min_tls == TlsVersion::v1_3 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2;
  setter.set(CURLOPT_SSLVERSION, version);
  setter.set(CURLOPT_PROXY_SSLVERSION, version);
  const auto& ca_file = default_ca_file.empty() ? options.ca_file : default_ca_file;
  setter.set(CURLOPT_CAINFO, ca_file);
  setter.set(CURLOPT_PROXY_CAINFO, ca_file);
  setter.set_blob(CURLOPT_CAINFO_BLOB, options.ca_pem);
  setter.set_blob(CURLOPT_PROXY_CAINFO_BLOB, options.ca_pem);
  const bool own_trust = !options.ca_file.empty() || !options.ca_pem.empty();
  if (own_trust && !options.native_ca && curl_version_info(CURLVERSION_NOW)->capath != nullptr) {
    setter.set_if_known(CURLOPT_CAPATH, no_directory());
    setter.set_if_known(CURLOPT_PROXY_CAPATH, no_directory());
  }
  if (!ca_file.empty()) setter.set_if_known(CURLOPT_CA_CACHE_TIMEOUT, most_seconds_of_old_trust);
  if (options.native_ca) {
    setter.set(CURLOPT_SSL_OPTIONS, static_cast<long>(CURLSSLOPT_NATIVE_CA));
    setter.set(CURLOPT_PROXY_SSL_OPTIONS, static_cast<long>(CURLSSLOPT_NATIVE_CA));
  }
  setter.set(CURLOPT_SSLCERT, options.client_certificate_file);
  setter.set_blob(CURLOPT_SSLCERT_BLOB, options.client_certificate_pem);
  setter.set(CURLOPT_SSLKEY, options.client_key_file);
  setter.set_blob(CURLOPT_SSLKEY_BLOB, options.client_key_pem.reveal());
  // Also set if it is empty: without it, OpenSSL would prompt at the terminal. There is no key without a
  // certificate.
  if (has_client_certificate(options)) {
    setter.force(CURLOPT_KEYPASSWD, std::string(options.client_key_password.reveal()));
  }
}

void set_connections(Setter& setter, const NetworkOptions& options) {
  const bool http2 = options.http_version == HttpVersion::http2;
  setter.set(CURLOPT_HTTP_VERSION, static_cast<long>(http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
  setter.set(CURLOPT_UNIX_SOCKET_PATH, options.unix_socket);
  setter.set(CURLOPT_INTERFACE, options.local_interface);
  setter.set(CURLOPT_TCP_NODELAY, 1L);
  setter.set(CURLOPT_TCP_KEEPALIVE, options.keep_alive ? 1L : 0L);
  if (options.keep_alive) {
    // Linux refuses more than this, and would then wait for two hours.
    const auto idle = std::min(*options.keep_alive, std::chrono::seconds(32'767));
    setter.set(CURLOPT_TCP_KEEPIDLE, idle);
    setter.set(CURLOPT_TCP_KEEPINTVL, std::max(std::chrono::seconds(1), idle / 2));
  }
  setter.set(CURLOPT_MAXAGE_CONN, options.max_idle);
  if (options.max_age) setter.set(CURLOPT_MAXLIFETIME_CONN, *options.max_age);
}

}  // namespace

NetworkSetup::NetworkSetup(NetworkOptions options, std::string ca_file)
    : options_(std::move(options)), problem_(problem_with(options_)) {
  // Schannel trusts what Windows does; curl ignores the variable there, which is for other programs.
  const bool matters = !ca_file.empty() && trusts_default(options_) && !uses_tls_of({"Schannel"});
  if (matters) (std::ifstream(ca_file).is_open() ? default_ca_file_ : ignored_ca_file_) = std::move(ca_file);
  if (options_.proxy ? options_.proxy->empty() : !has_proxy_in_environment()) {
    no_proxy_ = CurlHandle::every_host;  // spares libcurl the lookup at every call
  } else if (options_.proxy && options_.no_proxy && options_.no_proxy->empty()) {
    no_proxy_.clear();  // asked for explicitly, for example to watch calls of a local server
  } else {
    no_proxy_ = without_loopback(options_.no_proxy);
  }
  has_proxy_user_ = may_use_proxy() && names_proxy_user(options_);
  if (!libcurl_has_http2()) options_.http_version = HttpVersion::http1;
  for (const auto& pinned : options_.resolve) pin(pinned);
}

/// "host:port:address,[address]"
void NetworkSetup::pin(const PinnedHost& pinned) {
  auto line = pinned.host + ":" + std::to_string(pinned.port);
  for (char mark = ':'; const auto& address : pinned.addresses) {
    const bool literal = address.find(':') != address.npos && !address.starts_with('[');
    line += mark + (literal ? "[" + address + "]" : address);
    mark = ',';
  }
  auto* const longer = curl_slist_append(resolve_.get(), line.c_str());
  if (!longer) throw std::bad_alloc();
  static_cast<void>(resolve_.release());
  resolve_.reset(longer);
}

void NetworkSetup::apply(CurlHandle& handle) const {
  Setter setter(handle);
  set_proxy(setter, options_, no_proxy_);
  set_tls(setter, options_, default_ca_file_);
  set_connections(setter, options_);
  if (resolve_) handle.set(CURLOPT_RESOLVE, resolve_.get());
}

std::optional<std::chrono::seconds> NetworkSetup::unacknowledged_limit() const {
  if (!options_.keep_alive) return std::nullopt;
  return 2 * std::min(*options_.keep_alive, std::chrono::seconds(std::chrono::hours(24)));
}

bool NetworkSetup::may_use_proxy() const noexcept { return no_proxy_ != CurlHandle::every_host; }

}  // namespace inferwire::inline v0_1::http
