/// \file
/// How requests reach their service: proxies, trust, names, connections.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "inferwire/duration.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/secret.hpp"

namespace inferwire::inline v0_1 {

/// The version of HTTP that a client asks for.
enum class HttpVersion : std::uint8_t {
  http1,  ///< HTTP/1.1: one exchange at a time has a connection, so HTTP/2 would only cost CPU
  /// HTTP/2 where TLS negotiates it; otherwise, or if libcurl was built without HTTP/2, HTTP/1.1. libcurl
  /// before 8.0 cannot distinguish a stream that the server reset from one that ended: there
  /// `Client::request` and a raw stream may give only a part of a body that has no Content-Length; answers
  /// and streams of a known form are not affected.
  http2,
};

/// A version of TLS.
enum class TlsVersion : std::uint8_t { v1_2, v1_3 };

/// Addresses of a name, whatever the resolver says. The certificate still has to be that of the name.
struct PinnedHost {
  std::string host{};
  std::uint16_t port{443};               ///< the port that this holds for
  std::vector<std::string> addresses{};  ///< "10.0.0.7", "2001:db8::1"
};

/// Options of the libcurl transport; other transports do not read them. If one cannot be used, calls fail
/// with Error{config}. Certificates are always verified.
struct NetworkOptions {
  /// "http://proxy:3128", "https://...", "socks5h://..."; empty: none. Absent: what https_proxy, http_proxy
  /// and all_proxy in the environment say, if any of them is set when the client is made. (The process's own
  /// environment, whatever ClientOptions::environment is.) Requests that fetch a key over plain http bypass
  /// every proxy.
  Optional<std::string> proxy{};
  std::string proxy_user{};  ///< Basic authentication at the proxy
  Secret proxy_password{};
  /// Hosts that bypass the proxy, separated by commas: "localhost,.example.com,10.0.0.0/8"; "*" for all.
  /// Absent: what no_proxy in the environment says. Loopback always bypasses the proxy (keys may travel there
  /// unencrypted), unless both `proxy` and `no_proxy` are set.
  Optional<std::string> no_proxy{};

  /// Certificates to trust, as a file or as text (PEM), not both; they replace libcurl's own, which on Linux
  /// are the system's. Recent libcurls with a TLS library other than OpenSSL and its derivatives also trust
  /// the directory of certificates that they were built with.
  std::string ca_file{};
  std::string ca_pem{};
  /// Also trusts the operating system's store, if libcurl has a store of its own (Windows, macOS).
  bool native_ca{false};
  /// The certificate that identifies this client, and its key, each as a file or as text (PEM).
  std::string client_certificate_file{};
  std::string client_certificate_pem{};
  std::string client_key_file{};
  Secret client_key_pem{};
  Secret client_key_password{};
  TlsVersion min_tls{TlsVersion::v1_2};  ///< the oldest that is accepted

  HttpVersion http_version{HttpVersion::http1};
  /// A Unix socket on which the service listens; host and port of the URL are sent to it and otherwise
  /// unused.
  std::string unix_socket{};
  /// The network interface, or the local address, that connections start from: "eth1", "10.0.0.2".
  std::string local_interface{};
  std::vector<PinnedHost> resolve{};

  /// How many redirects of one request are followed; 0: none. Only within the origin (scheme, host, port),
  /// and only those that repeat the request: 307 and 308; others for GET and HEAD. A redirect that is not
  /// followed is an answer with its status.
  int max_redirects{0};

  /// How long a connection is silent before TCP probes it, so that balancers do not forget it; absent: no
  /// probes. A connection that is used again, and acknowledges nothing for twice as long, is dead, for
  /// example because the network changed or the machine slept: Error{connection}. A model that thinks for
  /// long does not trigger this, since its machine still acknowledges. (Linux and macOS only.)
  Optional<std::chrono::seconds> keep_alive{std::chrono::seconds(60)};
  /// A connection that has been idle for this long is not used again; servers and balancers close theirs at
  /// 120 s. It is closed by then if the transport's event loop runs, else during one of the next calls: many
  /// clients, one for each tenant, should share a transport.
  std::chrono::seconds max_idle{118};
  /// Nor is one that is this old; absent: at any age.
  Optional<std::chrono::seconds> max_age{};
};

class Transport;

/// The transport that a Client has by default, over libcurl: for transports that wrap one, such as a
/// recorder.
INFERWIRE_API std::shared_ptr<Transport> network_transport(NetworkOptions options = {});

}  // namespace inferwire::inline v0_1
