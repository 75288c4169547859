#include "http/default_trust.hpp"

#include <fstream>

namespace inferwire::inline v0_1::http {

bool trusts_default(const NetworkOptions& options) noexcept {
  return options.ca_file.empty() && options.ca_pem.empty() && !options.native_ca;
}

bool can_open_ca_file(const std::string& path) { return std::ifstream(path).is_open(); }

}  // namespace inferwire::inline v0_1::http
