// A separate file, so that only programs that look rows up by name link all kinds of authentication.
#include "inferwire/provider.hpp"

#include <algorithm>
#include <iterator>

namespace inferwire::inline v0_1 {
namespace {

struct Shipped {
  std::string_view name;
  Provider (*row)();
};

constexpr Shipped shipped[] = {
    {"databricks", &Provider::databricks},
    {"databricks-openai", &Provider::databricks_openai},
    {"databricks-open-responses", &Provider::databricks_open_responses},
    {"databricks-gateway", &Provider::databricks_gateway},
    {"openai", &Provider::openai},
    {"ai21", &Provider::ai21},
    {"lmi", &Provider::lmi},
    {"lmi-invocations", &Provider::lmi_invocations},
    {"sagemaker", [] { return Provider::sagemaker(); }},
};

constexpr char without_underscore(char c) noexcept { return c == '_' ? '-' : c; }

}  // namespace

Optional<Provider> Provider::named(std::string_view name) {
  const auto same = [name](std::string_view row) {
    return std::ranges::equal(name, row, {}, &without_underscore);
  };
  const auto* const found = std::ranges::find_if(shipped, same, &Shipped::name);
  if (found == std::end(shipped)) return std::nullopt;
  return found->row();
}

}  // namespace inferwire::inline v0_1
