/// \file
/// What the methods of resources are made of: requests, verbs and streams.
#pragma once

#include "client/resources/answer_reader.hpp"
#include "client/resources/request_body.hpp"
#include "client/resources/verb.hpp"
#include "client/stream/stream_core.hpp"

#include <memory>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::client {

/// The path and the body of the request for an answer of this form.
template <class Request>
Result<RequestDraft> draft_of(const detail::Core& core, const Request& request, AnswerForm form,
                              const CallOptions& options) {
  using Traits = RequestTraits<Request>;
  const auto& route = core.provider().*Traits::route;
  auto body = encode_body(core, route, request, form, options);
  if (!body) return std::move(body).error();
  auto path = path_of(core.provider(), Traits::name, route, request.model, form);
  if (!path) return std::move(path).error();
  return RequestDraft{.path = std::move(*path), .body = std::move(*body), .form = form};
}

/// The request for an answer of this form.
template <class Request>
Result<HttpRequest> request_of(detail::Core& core, const Request& request, AnswerForm form,
                               const CallOptions& options) {
  auto draft = draft_of(core, request, form, options);
  if (!draft) return std::move(draft).error();
  return core.request(std::move(*draft), options);
}

/// The plan of `stream` and `open`.
template <class Request>
Result<StreamPlan> stream_plan(const std::shared_ptr<detail::Core>& client, const Request& request,
                               const CallOptions& options) {
  using Traits = RequestTraits<Request>;
  if (!client) return moved_from();
  auto http = request_of(*client, request, AnswerForm::stream, options);
  if (!http) return std::move(http).error();
  return StreamPlan{Traits::name, request.model, *std::move(http), choices_of(request, options), options};
}

/// The verb of `create` and `start`.
template <class Request>
auto whole_verb(const Request& request) {
  using Traits = RequestTraits<Request>;
  return [&request](detail::Core& core, const CallOptions& options) {
    return Verb{Subject{Traits::name, request.model}, request_of(core, request, AnswerForm::whole, options),
                AnswerReader<typename Traits::Element>{choices_of(request, options), core.provider().stream}};
  };
}

/// The stream of a plan, read on the calling thread.
template <class T>
Stream<T> stream_of(const std::shared_ptr<detail::Core>& client, Result<StreamPlan> plan) {
  auto core = plan ? std::make_unique<detail::StreamCore>(client, *std::move(plan), element_ops<T>())
                   : std::make_unique<detail::StreamCore>(unsent(client, std::move(plan).error()));
  return detail::HandleAccess::make<Stream<T>>(std::move(core));
}

}  // namespace inferwire::inline v0_1::client
