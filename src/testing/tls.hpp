/// \file
/// The mock server's side of TLS, between socket bytes and HTTP bytes.
#pragma once

#include "inferwire/result.hpp"
#include "inferwire/testing/mock_server.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::testing {

/// One connection. Bytes for the peer are appended to `wire`.
class TlsSession {
 public:
  virtual ~TlsSession() = default;

  /// Takes bytes from the peer and appends the decrypted ones to `plain`. False if one side ended the
  /// session.
  virtual bool receive(std::string_view bytes, std::string& plain, std::string& wire) = 0;
  virtual void send(std::string_view plain, std::string& wire) = 0;
  /// Tells the peer that nothing more will be sent.
  virtual void close(std::string& wire) = 0;
  virtual bool handshake_done() const noexcept = 0;
  /// Whether it resumes the session of an earlier connection.
  virtual bool resumed() const noexcept = 0;
};

/// Creates sessions that present one certificate.
class TlsServer {
 public:
  virtual ~TlsServer() = default;
  virtual std::unique_ptr<TlsSession> accept() = 0;
};

/// Errors: unsupported (this build has no TLS), config (certificate or issuer cannot be read).
Result<std::unique_ptr<TlsServer>> make_tls_server(const MockServerOptions& options);

}  // namespace inferwire::inline v0_1::testing
