/// \file
/// How requests reach their service: proxies, trusted certificates, name resolution and connections.
#pragma once

#include "inferwire/duration.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/secret.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inferwire::inline v0_1 {

/// The version of HTTP that a client asks for.
enum class HttpVersion : std::uint8_t {
  http1,  ///< HTTP/1.1: a connection carries one exchange at a time, so HTTP/2 would only cost CPU
  /// HTTP/2 if TLS negotiates it and libcurl has it, else HTTP/1.1. libcurl before 8.0 takes a stream that
  /// the server reset for one that ended: `Client::request` and raw streams may return only a part of a body
  /// without Content-Length (answers that the library decodes are not affected). 7.88 also loses an error
  /// status that arrives while a long body is still being sent: Error{connection}.
  http2,
};

/// A version of TLS.
enum class TlsVersion : std::uint8_t { v1_2, v1_3 };

/// Fixed addresses for a host name, used instead of the resolver's. The certificate still has to match the
/// name.
struct PinnedHost {
  std::string host{};                    ///< a name; one that is loopback can have loopback addresses only
  std::uint16_t port{443};               ///< the port to which this applies
  std::vector<std::string> addresses{};  ///< "10.0.0.7", "2001:db8::1"
};

/// Options of the libcurl transport. If an option cannot be applied, calls fail with Error{config}.
/// Certificates are always verified.
struct NetworkOptions {
  /// "http://proxy:3128", "https://...", "socks5h://..."; empty: none. A name and a password in it are an
  /// Error{config}. Absent: taken from https_proxy, http_proxy and all_proxy, whose URLs may contain them, if
  /// any of these is set when the client is created. (Always in the process's own environment, whatever
  /// ClientOptions::environment is. The names may be in capitals, except HTTP_PROXY, which a web server sets
  /// from a client's `Proxy` header.) Requests that fetch a key over plain http bypass every proxy.
  Optional<std::string> proxy{};
  std::string proxy_user{};  ///< Basic authentication at the proxy
  Secret proxy_password{};
  /// Hosts that bypass the proxy, separated by commas: "localhost,.example.com,10.0.0.0/8"; "*" for all.
  /// Absent: taken from no_proxy in the environment. Loopback always bypasses the proxy (keys may be sent
  /// there unencrypted), unless `proxy` is set and `no_proxy` is empty.
  Optional<std::string> no_proxy{};

  /// Certificates to trust, as a file or as text (PEM), not both. They replace the default: libcurl's, which
  /// on Linux is the system's file and directory. If SSL_CERT_FILE in ClientOptions::environment (for
  /// network_transport(), in the process's own) names a file when the client is created, that replaces the
  /// system's file alone, as for OpenSSL; it is ignored if it cannot be opened then, if `native_ca` is
  /// set, and with Schannel. A file that is replaced is read again within a minute. Recent versions of
  /// libcurl with a TLS library other than OpenSSL and its derivatives also trust the certificate directory
  /// that they were built with.
  std::string ca_file{};
  std::string ca_pem{};
  /// Also trusts the operating system's store, if libcurl has a store of its own (Windows, macOS).
  bool native_ca{false};
  /// The certificate that identifies this client, and its key, each as a file or as text (PEM). A key without
  /// a certificate is Error{config}.
  std::string client_certificate_file{};
  std::string client_certificate_pem{};
  std::string client_key_file{};
  Secret client_key_pem{};
  Secret client_key_password{};
  TlsVersion min_tls{TlsVersion::v1_2};  ///< the oldest version that is accepted

  HttpVersion http_version{HttpVersion::http1};
  /// A Unix socket on which the service listens; host and port of the URL are sent to it but not connected
  /// to.
  std::string unix_socket{};
  /// The network interface, or the local address, that connections start from: "eth1", "10.0.0.2".
  std::string local_interface{};
  std::vector<PinnedHost> resolve{};

  /// How many redirects of one request are followed; 0: none. Only redirects within the origin (scheme, host,
  /// port) that repeat the request are followed: 307 and 308, and others for GET and HEAD. A redirect that is
  /// not followed is an answer with its status.
  int max_redirects{0};

  /// Idle time before TCP keep-alive probes are sent (at most 32,767 s), which also keep load balancers from
  /// dropping the connection; absent: no probes. A reused connection that acknowledges nothing for twice this
  /// time is considered dead, for example because the network changed or the machine slept:
  /// Error{connection}. A model that takes long to answer does not trigger this, since its machine still
  /// acknowledges. (Linux and macOS only.)
  Optional<std::chrono::seconds> keep_alive{std::chrono::seconds(60)};
  /// A connection that has been idle for this long is not reused; servers and load balancers often close
  /// theirs at 120 s. It is closed by then if the transport's event loop runs, else during one of the next
  /// calls. If you have many clients, one for each tenant for example, let them share a transport.
  std::chrono::seconds max_idle{118};
  /// A connection that is older than this is not reused; absent: no limit.
  Optional<std::chrono::seconds> max_age{};
};

class Log;
class Transport;

/// The transport that a Client uses by default, over libcurl: for sharing it among clients, or for transports
/// that wrap another, such as a recorder. `wire` receives libcurl's messages about connections, TLS and
/// headers, at level debug, as the client's log does by Visibility::wire; absent: they are dropped.
INFERWIRE_API std::shared_ptr<Transport> network_transport(NetworkOptions options = {},
                                                           std::shared_ptr<Log> wire = {});

}  // namespace inferwire::inline v0_1
