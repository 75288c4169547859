/// \file
/// Base of sources that run a program, whose output is the grant.
#pragma once

#include "inferwire/credential.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::auth {

class ProgramSource : public GrantSource {
 public:
  /// `command`: the program and its arguments; must not be empty.
  explicit ProgramSource(std::vector<std::string> command) : command_(std::move(command)) {}

  Step next(Instant now) final;
  void accept(const ResponseHead& head, std::string_view output, Instant now) final;
  void failed(const Error& why, Instant now) final;

 protected:
  const std::string& program() const noexcept { return command_.front(); }

  virtual Result<Grant> read(std::string_view output, Instant now) const = 0;
  /// The meaning of an exit status other than 0.
  virtual std::string refusal(int status) const = 0;

 private:
  std::vector<std::string> command_;
  std::optional<Result<Grant>> outcome_{};
};

}  // namespace inferwire::inline v0_1::auth
