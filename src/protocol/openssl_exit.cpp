// Replaces openssl_exit_none.cpp in builds with INFERWIRE_SIGV4.
#include "protocol/openssl_exit.hpp"

#include <openssl/crypto.h>

namespace inferwire::inline v0_1::protocol {

void keep_openssl_at_exit() noexcept {
#if defined(OPENSSL_INIT_NO_ATEXIT)  // OpenSSL 1.1.0 has no such option
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr);
#endif
}

}  // namespace inferwire::inline v0_1::protocol
