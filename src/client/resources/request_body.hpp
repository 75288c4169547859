/// \file
/// The bodies of requests, and facts about their resources.
#pragma once

#include "client/answer_form.hpp"
#include "client/core.hpp"
#include "client/resources/preflight.hpp"
#include "inferwire/fwd.hpp"
#include "json/codec.hpp"
#include "protocol/rules/rules.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace inferwire::inline v0_1::client {

/// Facts about a request type: the name of its resource, its endpoint, its documented rules, the type of its
/// stream's elements, and the number of choices. A missing specialization does not compile.
template <class Request>
struct RequestTraits;
template <>
struct RequestTraits<chat::Request> {
  using Element = chat::Chunk;
  static constexpr std::string_view name = "chat";
  static constexpr auto route = &Provider::chat;
  static auto rules() { return protocol::chat_rules(); }
  static std::int64_t choices(const auto& request) { return request.n.value_or(1); }
};
template <>
struct RequestTraits<completions::Request> {
  using Element = completions::Chunk;
  static constexpr std::string_view name = "completions";
  static constexpr auto route = &Provider::completions;
  static auto rules() { return protocol::completion_rules(); }
  static std::int64_t choices(const auto& request) { return request.choices(); }
};
template <>
struct RequestTraits<responses::Request> {
  using Element = responses::Event;
  static constexpr std::string_view name = "responses";
  static constexpr auto route = &Provider::responses;
  static auto rules() { return protocol::responses_rules(); }
  static std::int64_t choices(const auto&) { return 1; }
};

/// The body of a call. The caller's request is not changed: what the call determines overrides it in the
/// text.
template <class Request>
Result<std::string> encode_body(const detail::Core& core, const Route& route, const Request& request,
                                AnswerForm form, const CallOptions& options) {
  const auto& provider = core.provider();
  std::array<json::Override, 2> overrides{};
  std::size_t count = 0;
  if constexpr (requires { request.stream; }) {
    if (provider.explicit_stream) {
      overrides[count++] = {"stream", form == AnswerForm::stream ? "true" : "false"};
    }
  }
  if (!route.model_in_body) overrides[count++] = {"model", {}};
  const bool nested = options.nested_tools.value_or(provider.nested_tools);
  auto body = json::encode(request, {overrides.data(), count},
                           nested ? json::Spelling::nested : json::Spelling::flat);
  if (!body) return body;
  auto checked = preflight(core, *body, RequestTraits<Request>::rules(), options);
  if (!checked) return std::move(checked).error();
  if constexpr (std::is_same_v<Request, chat::Request>)
    remark_on_observed(core, *body, request.model, options);
  return body;
}

}  // namespace inferwire::inline v0_1::client
