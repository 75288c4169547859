/// \file
/// Which part of the engine answers a path.
#pragma once

#include "engine/dialects.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// What a request asks for.
enum class Task : std::uint8_t {
  invoke,            ///< whatever the endpoint does
  container,         ///< what the body asks a container of one model for
  container_stream,  ///< like `container`, with the answer in frames
  chat,
  responses,
  count_input,  ///< count the tokens of a would-be request for a response
  compact,      ///< shorten a conversation: offered by OpenAI, not here
  get_response,
  cancel_response,
  delete_response,
  list_input_items,
  completions,
  embeddings,
  list_models,
  get_model,
  list_endpoints,
  get_endpoint,
  create_endpoint,
  delete_endpoint,
  describe_workspace,  ///< what Databricks' own clients ask for first
  health,
};

/// Whether it is answered with streams of the Responses API.
constexpr bool streams_response(Task task) noexcept {
  return task == Task::responses || task == Task::get_response;
}

/// Whether its request describes a response, to be given or only to be counted.
constexpr bool describes_response(Task task) noexcept {
  return task == Task::responses || task == Task::count_input;
}

struct Match {
  std::optional<Task> task{};  ///< absent: unknown path, or not with this method
  std::string name{};          ///< the model or endpoint in the path, unescaped; empty: none
  std::string id{};            ///< the response in the path, unescaped; empty: none
  std::string allow{};         ///< the methods the path accepts; empty: there is no such path
  Mount mount{};               ///< the one whose errors a client expects at this path
};

/// What a request asks for. `target` is an absolute URL, or its path; its query and slashes at its end are
/// ignored.
Match match_route(std::string_view method, std::string_view target);

/// The path of an absolute URL, without its query.
std::string_view path_of(std::string_view url);
/// The value of `name` in the query of a URL, unescaped; std::nullopt if absent.
std::optional<std::string> query_value(std::string_view url, std::string_view name);

}  // namespace inferwire::inline v0_1::engine
