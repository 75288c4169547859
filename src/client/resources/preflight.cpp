#include "client/resources/preflight.hpp"

#include "base/controls.hpp"
#include "client/call/call_log.hpp"
#include "json/scanner.hpp"
#include "protocol/rules/rule_walk.hpp"

#include <string>
#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

std::string describe(const protocol::Offence& offence) {
  switch (offence.fault) {
    case protocol::Fault::unknown_member: return "its documents know no such parameter, and it refuses those";
    case protocol::Fault::missing: return "missing";
    case protocol::Fault::wrong_type: return "expected " + offence.expected + ", but got " + offence.got;
    case protocol::Fault::unsupported: return "not supported";
    case protocol::Fault::invalid_value: break;
  }
  return offence.problem;
}

/// Line breaks in names from the request must not look like further log lines.
void warn_of_refusal(const detail::Core& core, const CallOptions& options, const std::string& refused) {
  core.log()->write(LogLevel::warning, utf8::one_line(mark_of(options.label.value_or("")) +
                                                      core.provider().name + " may refuse " + refused));
}

}  // namespace

Result<void> preflight(const detail::Core& core, std::string_view body, std::span<const protocol::Rule> rules,
                       const CallOptions& options) {
  const auto wanted = core.preflight();
  const bool heard =
      wanted == Preflight::reject || (wanted == Preflight::warn && core.logs(LogLevel::warning));
  const auto speaker = heard ? protocol::speaker_of(core.provider().rules) : std::nullopt;
  if (!speaker || rules.empty()) return {};
  // A provider may have added members since its documentation was read, unless it is known to refuse unknown
  // ones.
  const bool strict = protocol::refuses_unknown_members(*speaker);
  if (auto offence = protocol::find_offence(body, rules, *speaker, {strict, strict})) {
    if (wanted == Preflight::reject) {
      auto detail = offence->place + ": " + describe(*offence) + " (found before sending)";
      return Error{.kind = ErrorKind::invalid_request,
                   .detail = std::move(detail),
                   .param = std::move(offence->place),
                   .provider = core.provider().name};
    }
    warn_of_refusal(core, options, offence->place + ": " + describe(*offence));
  }
  return {};
}

void remark_on_observed(const detail::Core& core, std::string_view body, std::string_view model,
                        const CallOptions& options) {
  if (!core.logs(LogLevel::warning) || core.preflight() == Preflight::off) return;
  const auto speaker = protocol::speaker_of(core.provider().rules);
  if (!speaker) return;
  for (json::Items items(body); items.next();) {
    const auto name = items.key();
    if (!protocol::was_refused(*speaker, model, name)) continue;
    warn_of_refusal(core, options, name + ": endpoints like " + std::string(model) + " were seen to");
  }
}

}  // namespace inferwire::inline v0_1::client
