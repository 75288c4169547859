#include "auth/databricks/host.hpp"

#include "base/ascii.hpp"
#include "protocol/url.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::auth {

namespace {

void take_parameter(DatabricksHost& host, std::string_view name, std::string_view value) {
  const bool is_number = !value.empty() && std::ranges::all_of(value, ascii::is_digit);
  if (name == "w" || (is_number && (name == "o" || name == "workspace_id"))) host.workspace_id = value;
  if (name == "a" || name == "account_id") host.account_id = value;
}

}  // namespace

Result<DatabricksHost> parse_databricks_host(std::string_view text) {
  const bool has_scheme = text.find("://") != text.npos;
  // A URL copied from a browser may end in a fragment.
  auto address = (has_scheme ? "" : "https://") + std::string(text.substr(0, text.find('#')));
  auto url = protocol::parse_url(address);
  if (!url) {
    url.error().detail.insert(0, "the host of the workspace: ");
    return std::move(url).error();
  }
  DatabricksHost host{.cut = std::exchange(url->path, {})};
  for (std::string_view query = url->query; !query.empty();) {
    auto value = ascii::take_until(query, "&");
    const auto name = ascii::take_until(value, "=");
    take_parameter(host, name, value);
  }
  url->query.clear();
  host.url = protocol::to_string(*url);
  return host;
}

}  // namespace inferwire::inline v0_1::auth
