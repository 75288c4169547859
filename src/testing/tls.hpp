/// \file
/// The mock server's side of TLS, between the bytes of a socket and those of HTTP.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "inferwire/result.hpp"
#include "inferwire/testing/mock_server.hpp"

namespace inferwire::inline v0_1::testing {

/// One connection. What is to be sent to the peer is appended to `wire`.
class TlsSession {
 public:
  virtual ~TlsSession() = default;

  /// Takes bytes of the peer and appends what they say to `plain`. False when one side gave the session up.
  virtual bool receive(std::string_view bytes, std::string& plain, std::string& wire) = 0;
  virtual void send(std::string_view plain, std::string& wire) = 0;
  /// Says that nothing more comes.
  virtual void close(std::string& wire) = 0;
  virtual bool handshake_done() const noexcept = 0;
  /// Whether it goes on with the session of an earlier connection.
  virtual bool resumed() const noexcept = 0;
};

/// Makes sessions that show one certificate.
class TlsServer {
 public:
  virtual ~TlsServer() = default;
  virtual std::unique_ptr<TlsSession> accept() = 0;
};

/// Errors: unsupported (this build has no TLS), config (certificate or issuer cannot be read).
Result<std::unique_ptr<TlsServer>> make_tls_server(const MockServerOptions& options);

}  // namespace inferwire::inline v0_1::testing
