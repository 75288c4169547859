// Replaces openssl_exit.cpp in builds without INFERWIRE_SIGV4.
#include "protocol/openssl_exit.hpp"

namespace inferwire::inline v0_1::protocol {

void keep_openssl_at_exit() noexcept {}

}  // namespace inferwire::inline v0_1::protocol
