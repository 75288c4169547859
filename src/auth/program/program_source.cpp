#include "auth/program/program_source.hpp"

#include <utility>

namespace inferwire::inline v0_1::auth {

GrantSource::Step ProgramSource::next(Instant) {
  if (!outcome_) return Credential::Run{.command = command_};
  auto outcome = *std::exchange(outcome_, std::nullopt);
  if (!outcome) return std::move(outcome).error();
  return *std::move(outcome);
}

void ProgramSource::accept(const ResponseHead& head, std::string_view output, Instant now) {
  if (head.status == 0) {
    outcome_ = read(output, now);
  } else {
    outcome_ = Error{.kind = ErrorKind::auth, .detail = refusal(head.status)};
  }
}

void ProgramSource::failed(const Error& why, Instant) { outcome_ = why; }

}  // namespace inferwire::inline v0_1::auth
