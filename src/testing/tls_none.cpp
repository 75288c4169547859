// Replaces tls_openssl.cpp and certificate_openssl.cpp in builds without INFERWIRE_TESTING_TLS.
#include "testing/tls.hpp"

namespace inferwire::inline v0_1::testing {

namespace {
Error no_tls() {
  return {
      .kind = ErrorKind::unsupported,
      .detail = "this build of inferwire has no TLS for tests; see the CMake option INFERWIRE_TESTING_TLS"};
}
}  // namespace

Result<std::unique_ptr<TlsServer>> make_tls_server(const MockServerOptions&) { return no_tls(); }
Result<Certificate> make_certificate(const CertificateOptions&, const Certificate*) { return no_tls(); }

}  // namespace inferwire::inline v0_1::testing
