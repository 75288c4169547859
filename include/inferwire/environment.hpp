/// \file
/// Where absent options are looked up: environment variables and files.
#pragma once

#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/result.hpp"

#include <memory>
#include <string>

namespace inferwire::inline v0_1 {

/// The environment variables and files that a client may read. Derive from it and set
/// ClientOptions::environment, so that a test uses variables of its own, or a service none. Safe from any
/// thread. Must not use the client that asks it.
class INFERWIRE_API Environment {
 public:
  virtual ~Environment();

  /// The value of a variable; absent if it is not set.
  virtual Optional<std::string> variable(const std::string& name) const = 0;
  /// The contents of a file; absent if there is no such file. Errors: config (it cannot be read, or is larger
  /// than 1 MiB).
  virtual Result<Optional<std::string>> file(const std::string& path) const = 0;

  /// The process's environment variables and the machine's files.
  static std::shared_ptr<Environment> system();
  /// No variables and no files: only the options given in the program apply. Those of proxies
  /// (NetworkOptions::proxy) and SSLKEYLOGFILE are read by libcurl, not through this.
  static std::shared_ptr<Environment> none();
};

}  // namespace inferwire::inline v0_1
