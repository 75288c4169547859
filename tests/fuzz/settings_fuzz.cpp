// libFuzzer target: a configuration file is read as sections of keys and values that stand in it, or the
// error names a line but not its text. A look for credentials there finds a way or says why there is none.
#include "auth/program/command_line.hpp"
#include "auth/settings/ini.hpp"
#include "inferwire/auth_report.hpp"
#include "inferwire/credential.hpp"
#include "support/fake_environment.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace {

using namespace inferwire;
using namespace inferwire_test;

/// Checks the sections; gives the name of the last one, for the look at its profile, or "" if the file cannot
/// be read.
std::string check_sections(std::string_view text) {
  const auto sections = auth::parse_ini(text);
  if (!sections) {
    if (!sections.error().detail.starts_with("line ") || sections.error().detail.size() > 80) std::abort();
    return {};
  }
  std::set<std::string_view> names;
  for (const auto& section : *sections) {
    if (!names.insert(section.name).second) std::abort();
    for (const auto& [key, value, written] : section.values) {
      // Further lines lose their indentation.
      const auto first_line = std::string_view(value).substr(0, value.find('\n'));
      if (key.empty() || text.find(key) == text.npos || text.find(first_line) == text.npos) std::abort();
      if (written.find(first_line) == written.npos) std::abort();
    }
  }
  return sections->empty() ? std::string() : sections->back().name;
}

void check_report(const std::shared_ptr<Credential>& credential) {
  const auto report = credential->describe();
  if (report.method.empty() && !report.problem) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  auto profile = check_sections(text);
  constexpr std::string_view prefix = "profile ";
  if (profile.starts_with(prefix)) profile.erase(0, prefix.size());
  const auto environment = std::make_shared<FakeEnvironment>(
      FakeEnvironment::Texts{{"HOME", "/home/u"}, {"AWS_EC2_METADATA_DISABLED", "true"}},
      FakeEnvironment::Texts{{"/home/u/.databrickscfg", text},
                             {"/home/u/.aws/credentials", text},
                             {"/home/u/.aws/config", text}});
  for (const auto& name : {std::string(), profile}) {
    check_report(Credential::databricks({.profile = name, .environment = environment}));
    check_report(Credential::sigv4({.profile = name, .environment = environment}));
  }
  if (const auto words = auth::split_command(text); words && words->front().empty()) std::abort();
  return 0;
}
