/// \file
/// What `create` and `stream` are in every room that has them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "client/resources/answer_reader.hpp"
#include "client/resources/request_body.hpp"
#include "client/resources/verb.hpp"
#include "client/stream/stream_core.hpp"

namespace inferwire::inline v0_1::client {

// What the verbs of a room are made of. `route` is the member of the provider's row, `choices` how many the
// request asks for.

/// What `create` and `start` send.
template <class Request>
Result<HttpRequest> whole_request(detail::Core& core, Route Provider::* route, const Request& request,
                                  const CallOptions& options) {
  const auto& row = core.provider().*route;
  auto body = encode_body(core, row, request, false, options);
  if (!body) return std::move(body).error();
  return path_of(core.provider(), row, request.model, Shape::whole).and_then([&](std::string path) {
    return core.request({.path = std::move(path), .body = *std::move(body)}, options);
  });
}

/// What `stream` and `open` send.
template <class Request>
Result<detail::StreamPlan> stream_plan(const detail::Core& core, Route Provider::* route,
                                       const Request& request, std::int64_t choices,
                                       const CallOptions& options) {
  const auto& row = core.provider().*route;
  auto body = encode_body(core, row, request, true, options);
  if (!body) return std::move(body).error();
  auto path = path_of(core.provider(), row, request.model, Shape::stream);
  if (!path) return std::move(path).error();
  Ask ask{.path = *std::move(path), .body = *std::move(body), .shape = Shape::stream};
  return detail::StreamPlan{Word<Request>::name, request.model, std::move(ask), choices, options};
}

/// What `create` and `start` do.
template <class Chunk, class Request>
auto whole_verb(Route Provider::* route, const Request& request, std::int64_t choices) {
  return [route, &request, choices](detail::Core& core, const CallOptions& options) {
    return Verb{Subject{Word<Request>::name, request.model}, whole_request(core, route, request, options),
                answer_reader<Chunk>(core, choices)};
  };
}

/// `resource.create`: one request, one whole answer.
template <class Chunk, class Request>
Result<typename Folds<Chunk>::Response> create(const std::shared_ptr<detail::Core>& core,
                                               Route Provider::* route, const Request& request,
                                               std::int64_t choices, const CallOptions& options) {
  return ask(core, options, whole_verb<Chunk>(route, request, choices));
}

template <class T>
Stream<T> stream_of(const std::shared_ptr<detail::Core>& core, Result<detail::StreamPlan> plan) {
  if (!plan) return Stream<T>(std::make_unique<detail::StreamCore>(unsent(core, std::move(plan).error())));
  return Stream<T>(std::make_unique<detail::StreamCore>(core, *std::move(plan)));
}

/// `resource.stream`: one request, an answer in elements.
template <class Chunk, class Request>
Stream<Chunk> stream(const std::shared_ptr<detail::Core>& core, Route Provider::* route,
                     const Request& request, std::int64_t choices, const CallOptions& options) {
  if (!core) return stream_of<Chunk>(core, moved_from());
  return stream_of<Chunk>(core, stream_plan(*core, route, request, choices, options));
}

}  // namespace inferwire::inline v0_1::client
