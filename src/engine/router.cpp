#include "engine/router.hpp"

#include "base/ascii.hpp"
#include "base/percent.hpp"
#include "protocol/url.hpp"

#include <array>

namespace inferwire::inline v0_1::engine {
namespace {

/// A path of the engine, with a method it accepts.
struct EngineRoute {
  /// "{name}" matches one segment, or all remaining ones if it comes last; "{id}" matches one segment.
  std::string_view pattern{};
  std::string_view method{};
  Task task{};
  Mount mount{};
};

constexpr EngineRoute routes[] = {
    {"/serving-endpoints/{name}/invocations", "POST", Task::invoke, Mount::databricks},
    {"/serving-endpoints/chat/completions", "POST", Task::chat, Mount::databricks},
    {"/serving-endpoints/completions", "POST", Task::completions, Mount::databricks},
    {"/serving-endpoints/embeddings", "POST", Task::embeddings, Mount::databricks},
    {"/serving-endpoints/responses", "POST", Task::responses, Mount::databricks_responses},
    {"/serving-endpoints/open-responses", "POST", Task::responses, Mount::databricks_open_responses},
    {"/ai-gateway/mlflow/v1/chat/completions", "POST", Task::chat, Mount::databricks},
    {"/ai-gateway/mlflow/v1/embeddings", "POST", Task::embeddings, Mount::databricks},
    {"/ai-gateway/mlflow/v1/responses", "POST", Task::responses, Mount::databricks_open_responses},
    {"/api/2.0/serving-endpoints", "GET", Task::list_endpoints, Mount::databricks},
    {"/api/2.0/serving-endpoints", "POST", Task::create_endpoint, Mount::databricks},
    {"/api/2.0/serving-endpoints/{name}", "GET", Task::get_endpoint, Mount::databricks},
    {"/api/2.0/serving-endpoints/{name}", "DELETE", Task::delete_endpoint, Mount::databricks},
    {"/.well-known/databricks-config", "GET", Task::describe_workspace, Mount::databricks},
    {"/studio/v1/chat/completions", "POST", Task::chat, Mount::ai21},
    {"/ai21/v1/chat/completions", "POST", Task::chat, Mount::ai21},
    {"/invocations", "POST", Task::container, Mount::lmi},
    {"/predictions/{name}", "POST", Task::container, Mount::lmi},
    {"/lmi/v1/chat/completions", "POST", Task::chat, Mount::lmi},
    {"/lmi/invocations", "POST", Task::container, Mount::lmi},
    {"/endpoints/{name}/invocations", "POST", Task::container, Mount::sagemaker},
    {"/endpoints/{name}/invocations-response-stream", "POST", Task::container_stream, Mount::sagemaker},
    {"/v1/completions", "POST", Task::completions, Mount::openai},
    {"/v1/embeddings", "POST", Task::embeddings, Mount::openai},
    {"/v1/responses", "POST", Task::responses, Mount::openai},
    {"/v1/responses/input_tokens", "POST", Task::count_input, Mount::openai},
    {"/v1/responses/compact", "POST", Task::compact, Mount::openai},
    {"/v1/responses/{id}", "GET", Task::get_response, Mount::openai},
    {"/v1/responses/{id}", "DELETE", Task::delete_response, Mount::openai},
    {"/v1/responses/{id}/cancel", "POST", Task::cancel_response, Mount::openai},
    {"/v1/responses/{id}/input_items", "GET", Task::list_input_items, Mount::openai},
    {"/v1/chat/completions", "POST", Task::chat, Mount::openai},
    {"/v1/models", "GET", Task::list_models, Mount::openai},
    {"/v1/models/{name}", "GET", Task::get_model, Mount::openai},
    {"/ping", "GET", Task::health, Mount::openai},
    {"/health", "GET", Task::health, Mount::openai},
};

/// The mount whose errors are given on unknown paths that begin with `path`.
struct Prefix {
  std::string_view path;
  Mount mount;
};
constexpr std::array prefixes{
    Prefix{"/serving-endpoints", Mount::databricks},
    Prefix{"/ai-gateway/", Mount::databricks},
    Prefix{"/api/2.0/", Mount::databricks},
    Prefix{"/studio/", Mount::ai21},
    Prefix{"/ai21/", Mount::ai21},
    Prefix{"/invocations", Mount::lmi},
    Prefix{"/predictions", Mount::lmi},
    Prefix{"/lmi/", Mount::lmi},
    Prefix{"/endpoints/", Mount::sagemaker},
};

Mount mount_of(std::string_view path) {
  for (const auto& prefix : prefixes) {
    if (path.starts_with(prefix.path)) return prefix.mount;
  }
  return Mount::openai;
}

constexpr std::string_view id_hole = "{id}";

/// The text that "{name}" or "{id}" matches in `path`; empty if the pattern has neither; std::nullopt if the
/// path does not match the pattern.
std::optional<std::string_view> fit(std::string_view pattern, std::string_view path) {
  const auto at = pattern.find('{');
  if (at == pattern.npos) return pattern == path ? std::optional<std::string_view>("") : std::nullopt;
  const auto before = pattern.substr(0, at);
  const auto after = pattern.substr(pattern.find('}') + 1);
  if (path.size() <= before.size() + after.size() || !path.starts_with(before) || !path.ends_with(after)) {
    return std::nullopt;
  }
  const auto name = path.substr(before.size(), path.size() - before.size() - after.size());
  // Names of models may hold slashes; names of serving endpoints, in the middle of a path, may not.
  const bool may_hold_slashes = after.empty() && !pattern.ends_with(id_hole);
  if (!may_hold_slashes && name.find('/') != name.npos) return std::nullopt;
  return name;
}

}  // namespace

std::string_view path_of(std::string_view url) { return protocol::split_url(url).path; }

std::optional<std::string> query_value(std::string_view url, std::string_view name) {
  for (auto query = protocol::split_url(url).query; !query.empty();) {
    auto value = ascii::take_until(query, "&");
    if (percent_decode(ascii::take_until(value, "=")) == name) return percent_decode(value);
  }
  return std::nullopt;
}

Match match_route(std::string_view method, std::string_view target) {
  auto path = path_of(target);
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);

  if (method == "HEAD") method = "GET";  // the sender of the answer leaves out its body
  Match match{.mount = mount_of(path)};
  bool literal = false;
  for (const auto& route : routes) {
    const auto name = fit(route.pattern, path);
    if (!name) continue;
    // A segment that a pattern spells out is not an id.
    if (literal && route.pattern.find('{') != route.pattern.npos) break;
    literal = route.pattern.find('{') == route.pattern.npos;
    match.mount = route.mount;
    if (!match.allow.empty()) match.allow += ", ";
    match.allow += route.method;
    if (route.method != method) continue;
    match.task = route.task;
    (route.pattern.find(id_hole) == route.pattern.npos ? match.name : match.id) = percent_decode(*name);
    break;
  }
  return match;
}

}  // namespace inferwire::inline v0_1::engine
