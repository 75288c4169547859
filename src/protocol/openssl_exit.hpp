/// \file
/// What OpenSSL does when the process ends.
#pragma once

namespace inferwire::inline v0_1::protocol {

/// Keeps OpenSSL from tearing itself down at exit, where threads may still be inside it: those of clients
/// that are statics, or that exit() does not destroy. The system frees its memory then anyway. Functions that
/// the program gave to OPENSSL_atexit() are not called then either. Without effect if the program has
/// initialised OpenSSL before, or this build has none (the CMake option INFERWIRE_SIGV4).
void keep_openssl_at_exit() noexcept;

}  // namespace inferwire::inline v0_1::protocol
