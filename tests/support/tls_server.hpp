/// \file
/// A TLS server on loopback with a certificate that it has signed itself, made when it starts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace inferwire_test {

/// Answers every request with status 200 and "{}". The certificate is for 127.0.0.1. Serves one connection at
/// a time, from a thread of its own.
class TlsServer {
 public:
  TlsServer();
  ~TlsServer();

  /// "https://127.0.0.1:PORT", or with another host that leads here.
  std::string url(const std::string& host = "127.0.0.1") const;
  /// The certificate as PEM, for a client that is to trust it.
  const std::string& certificate() const;

 private:
  struct Running;
  std::unique_ptr<Running> running_;
};

}  // namespace inferwire_test
