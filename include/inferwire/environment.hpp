/// \file
/// Where options come from that the program does not give: variables and files.
#pragma once

#include <memory>
#include <string>

#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/result.hpp"

namespace inferwire::inline v0_1 {

/// The variables and files that a client may look at. Derive one from it, and give it to
/// ClientOptions::environment, to have a test look at its own or a service at none. Safe from any thread.
class INFERWIRE_API Environment {
 public:
  virtual ~Environment();

  /// The value of a variable; nothing when it is not set.
  virtual Optional<std::string> variable(const std::string& name) const = 0;
  /// The text of a file; nothing when there is none. Errors: config (it cannot be read, or is larger than
  /// 1 MiB).
  virtual Result<Optional<std::string>> file(const std::string& path) const = 0;

  /// The process's own variables and the machine's files.
  static std::shared_ptr<Environment> system();
  /// No variables and no files: only what the program gives counts. Proxies are not looked up here but by
  /// libcurl: see NetworkOptions::proxy.
  static std::shared_ptr<Environment> none();
};

}  // namespace inferwire::inline v0_1
