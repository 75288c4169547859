#include "cli/exit_code.hpp"

namespace inferwire::inline v0_1::cli {

ExitCode exit_code(const Error& error) noexcept {
  switch (error.kind) {
    case ErrorKind::truncated: return incomplete_stream;
    case ErrorKind::config:
    case ErrorKind::unsupported: return usage_error;
    case ErrorKind::connection:
    case ErrorKind::tls:
    case ErrorKind::timeout:
    case ErrorKind::cancelled:
    case ErrorKind::decode: return transport_error;
    case ErrorKind::stream_error:
    case ErrorKind::response_failed: return api_error;
    default:
      // If there is no status, the client itself refused: a prompt that is not UTF-8, an answer beyond a
      // limit.
      if (error.status != 0) return api_error;
      return error.kind == ErrorKind::too_large ? transport_error : usage_error;
  }
}

}  // namespace inferwire::inline v0_1::cli
