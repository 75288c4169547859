#include "http/default_trust.hpp"

namespace inferwire::inline v0_1::http {

bool trusts_default(const NetworkOptions& options) noexcept {
  return options.ca_file.empty() && options.ca_pem.empty() && !options.native_ca;
}

}  // namespace inferwire::inline v0_1::http
