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

/// Which version of HTTP a client asks for.
enum class HttpVersion : std::uint8_t {
  http1,  ///< HTTP/1.1: one exchange at a time has a connection, so HTTP/2 would only cost CPU
  /// HTTP/2 where TLS negotiates it; HTTP/1.1 elsewhere, and where libcurl was built without HTTP/2. libcurl
  /// before 8.0 does not tell a stream that the server reset from one that ended: there `Client::request` and
  /// a raw stream may give a part of a body that has no Content-Length; answers and streams of known form
  /// tell.
  http2,
};

/// A version of TLS.
enum class TlsVersion : std::uint8_t { v1_2, v1_3 };

/// Addresses that a name stands for, whatever the resolver says. The certificate is still that of the name.
struct PinnedHost {
  std::string host{};
  std::uint16_t port{443};               ///< the port that this holds for
  std::vector<std::string> addresses{};  ///< "10.0.0.7", "2001:db8::1"
};

/// Options of the libcurl transport; a transport of one's own reads none of them. What cannot be used shows
/// as Error{config} of the calls. Certificates are always verified.
struct NetworkOptions {
  /// "http://proxy:3128", "https://...", "socks5h://..."; empty: none. Absent: what https_proxy, http_proxy
  /// and all_proxy in the environment say, where any of them is set when the client is made. (The process's
  /// own, whatever ClientOptions::environment is.) What fetches a key over plain http goes past every proxy.
  Optional<std::string> proxy{};
  std::string proxy_user{};  ///< Basic authentication at the proxy
  Secret proxy_password{};
  /// Hosts that are reached without the proxy, separated by commas: "localhost,.example.com,10.0.0.0/8"; "*"
  /// for all. Absent: what no_proxy in the environment says. Loopback is always among them, since a key that
  /// goes there may go in the clear; but not where `proxy` is given beside this.
  Optional<std::string> no_proxy{};

  /// Certificates to trust, as a file or as text (PEM); instead of libcurl's own, which on Linux are the
  /// system's. One of the two. Recent libcurls with a TLS library other than OpenSSL and its children trust
  /// the directory of certificates that they were built with all the same.
  std::string ca_file{};
  std::string ca_pem{};
  /// Trusts the operating system's store besides, where libcurl has a store of its own (Windows, macOS).
  bool native_ca{false};
  /// The certificate that shows who this client is, and its key, each as a file or as text (PEM).
  std::string client_certificate_file{};
  std::string client_certificate_pem{};
  std::string client_key_file{};
  Secret client_key_pem{};
  Secret client_key_password{};
  TlsVersion min_tls{TlsVersion::v1_2};  ///< the least that is accepted

  HttpVersion http_version{HttpVersion::http1};
  /// A Unix socket behind which the service listens; host and port of the URL are only told to it.
  std::string unix_socket{};
  /// The network interface, or the local address, that connections begin at: "eth1", "10.0.0.2".
  std::string local_interface{};
  std::vector<PinnedHost> resolve{};

  /// How many redirects of one request are followed; 0: none. Only within the origin (scheme, host, port),
  /// and only such as repeat the request: 307 and 308, others for GET and HEAD. One that is not followed is
  /// an answer with its status.
  int max_redirects{0};

  /// How long a connection is silent before TCP probes it, so that balancers do not forget it; absent: no
  /// probes. One that is used again, and acknowledges nothing for twice as long, is dead: the network has
  /// changed, say, or the machine has slept. Its end is Error{connection}. How long a model thinks is no
  /// matter, for its machine acknowledges meanwhile. (Linux and macOS only.)
  Optional<std::chrono::seconds> keep_alive{std::chrono::seconds(60)};
  /// An idle connection is not used again after so long; servers and balancers close theirs at 120 s.
  std::chrono::seconds max_idle{118};
  /// Nor is one that is so old; absent: of any age.
  Optional<std::chrono::seconds> max_age{};
};

class Transport;

/// The transport that a Client has when it is given none, over libcurl: for what goes around one, such as a
/// recorder.
INFERWIRE_API std::shared_ptr<Transport> network_transport(NetworkOptions options = {});

}  // namespace inferwire::inline v0_1
