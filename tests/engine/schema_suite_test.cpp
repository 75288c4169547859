// Runs the JSON Schema Test Suite (draft 2020-12): supported keywords must behave as it says, others must be
// refused by name. A grammar writes instances, but not all of them: whatever it accepts must be an instance,
// while an instance need not be accepted.
#include "constrained_text.hpp"
#include "schema_validator.hpp"
#include "support/catch.hpp"
#include "support/fixtures.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

using namespace inferwire::engine;
using namespace inferwire_test;

namespace {

const std::set<std::string, std::less<>> unsupported{"contains",
                                                     "minContains",
                                                     "maxContains",
                                                     "dependentRequired",
                                                     "dependentSchemas",
                                                     "if",
                                                     "then",
                                                     "else",
                                                     "not",
                                                     "patternProperties",
                                                     "propertyNames",
                                                     "oneOf",
                                                     "unevaluatedProperties"};

/// Keywords that are supported only together with some others, such as uniqueItems with listed values.
const std::set<std::string, std::less<>> supported_in_part{"uniqueItems"};

/// The keyword that a fault names: "(): 'not' is not permitted" names "not".
std::string blamed(const std::string& problem) {
  if (problem.find("is not permitted") == problem.npos) return "";
  const auto begin = problem.find('\'') + 1;
  return problem.substr(begin, problem.find('\'', begin) - begin);
}

/// The results of the groups of one keyword.
struct Tally {
  int groups{};
  int compiled{};
  int instances{};
  int taken{};
};

void try_instances(const std::shared_ptr<const Grammar>& grammar, const Schema& tests, Tally& tally) {
  for (const auto& test : tests) {
    const auto instance = test[0].dump();
    INFO(instance);
    const bool taken = accepts(grammar, instance);
    if (!test[1].get<bool>()) {
      CHECK_FALSE(taken);
      continue;
    }
    ++tally.instances;
    tally.taken += taken ? 1 : 0;
  }
}

void try_texts(const std::shared_ptr<const Grammar>& grammar, const Schema& schema) {
  const SchemaValidator validator(nlohmann::json::parse(schema.dump()));
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto [text, tokens, ended] = random_text(grammar, static_cast<int>(grammar->cost()) + 100, seed);
    INFO(text);
    REQUIRE(ended);
    CHECK(validator.fault(nlohmann::json::parse(text)) == "");
  }
}

}  // namespace

TEST_CASE("schemas of the JSON Schema Test Suite accept and refuse its instances", "[schema_suite]") {
  std::map<std::string, Tally, std::less<>> tallies;
  for (const auto& group : Schema::parse(fixture("json_schema_suite.json"))) {
    const auto keyword = group["keyword"].get<std::string>();
    const auto& schema = group["schema"];
    INFO(keyword << ", " << group["about"] << ": " << schema.dump());
    auto& tally = tallies[keyword];
    ++tally.groups;
    const auto result = compile(schema, Strictness::strict);
    if (const auto* fault = std::get_if<SchemaFault>(&result)) {
      INFO(fault->problem);
      const auto name = blamed(fault->problem);
      if (name.empty()) {
        CHECK_THAT(fault->problem, contains("no instance"));
        for (const auto& test : group["tests"]) CHECK_FALSE(test[1].get<bool>());
        continue;
      }
      // A supported keyword is refused only with a reason.
      const bool says_what = fault->problem.find("is not permitted: ") != std::string::npos;
      CHECK((unsupported.contains(name) || supported_in_part.contains(name) || says_what));
      continue;
    }
    ++tally.compiled;
    CHECK_FALSE(unsupported.contains(keyword));
    const auto& grammar = std::get<0>(result);
    try_instances(grammar, group["tests"], tally);
    try_texts(grammar, schema);
  }
  for (const auto& [keyword, tally] : tallies) {
    INFO(keyword << ": " << tally.compiled << " of " << tally.groups << " groups, " << tally.taken << " of "
                 << tally.instances << " instances");
    const bool none = keyword == "if-then-else" || unsupported.contains(keyword);
    CHECK((tally.compiled > 0) == !none);
    const bool has_other_names = keyword == "minProperties";  // other names than the suite's
    CHECK((tally.taken > 0) == !(none || has_other_names));
  }
}
