/// \file
/// The bodies of requests, and facts about their resources.
#pragma once

#include "client/answer_form.hpp"
#include "client/core.hpp"
#include "client/resources/preflight.hpp"
#include "client/stream/element.hpp"
#include "inferwire/client_options.hpp"
#include "inferwire/fwd.hpp"
#include "inferwire/json.hpp"
#include "json/codec.hpp"
#include "protocol/rules/rules.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::client {

/// Top-level members of a body that the call determines.
class Overrides {
 public:
  /// `json` as in json::Override.
  void add(std::string_view name, std::string_view json) { list_[count_++] = {name, json}; }
  /// Likewise, and keeps the text. Call at most once.
  void add_text(std::string_view name, std::string json) { add(name, text_ = std::move(json)); }
  std::span<const json::Override> list() const noexcept { return {list_.data(), count_}; }

 private:
  std::array<json::Override, 4> list_{};
  std::size_t count_{};
  std::string text_{};
};

/// Facts about a request type: the name of its resource, its endpoint, its documented rules, and, if its
/// answers can be streamed, the type of their elements. A missing specialization does not compile. It may
/// have two functions: `add_overrides` for members that the provider's row determines, and `after_preflight`
/// for further checks of the body, which only log.
template <class Request>
struct RequestTraits;
template <>
struct RequestTraits<chat::Request> {
  using Element = chat::Chunk;
  static constexpr std::string_view name = "chat";
  static constexpr auto route = &Provider::chat;
  static auto rules() { return protocol::chat_rules(); }
  static void after_preflight(const detail::Core& core, std::string_view body, const auto& request,
                              const CallOptions& options) {
    remark_on_observed(core, body, request.model, options);
  }
};
template <>
struct RequestTraits<completions::Request> {
  using Element = completions::Chunk;
  static constexpr std::string_view name = "completions";
  static constexpr auto route = &Provider::completions;
  static auto rules() { return protocol::completion_rules(); }
};
template <>
struct RequestTraits<responses::Request> {
  using Element = responses::Event;
  static constexpr std::string_view name = "responses";
  static constexpr auto route = &Provider::responses;
  static auto rules() { return protocol::responses_rules(); }
};
template <>
struct RequestTraits<embeddings::Request> {
  static constexpr std::string_view name = "embeddings";
  static constexpr auto route = &Provider::embeddings;
  static auto rules() { return protocol::embedding_rules(); }
  static Result<void> add_overrides(const Provider& row, const embeddings::Request& request,
                                    Overrides& overrides);
};

/// How many choices the body asks for, for each of its prompts if it is one `of_prompts`, if the request's
/// member says `n`; nothing if its extra members or edits make that, or the number of prompts, unknown, or if
/// no answer can have so many.
std::optional<std::int64_t> choices_a_prompt(std::optional<std::int64_t> n, bool of_prompts,
                                             const Extra& extra, std::span<const BodyEdit> edits);

/// How many choices the body asks for, as in ChoiceTracker.
template <class Request>
std::int64_t choices_of(const Request& request, const CallOptions& options) {
  if constexpr (requires { request.n; }) {
    constexpr bool of_prompts = requires { request.prompts(); };
    const auto each = choices_a_prompt(request.n, of_prompts, request.extra, options.body);
    if (!each) return some_choices;
    if constexpr (of_prompts) {
      return *each * static_cast<std::int64_t>(request.prompts());
    }
    return *each;
  }
  return 1;
}

/// The body of a call. The caller's request is not changed: what the call determines overrides it in the
/// text.
template <class Request>
Result<std::string> encode_body(const detail::Core& core, const Route& route, const Request& request,
                                AnswerForm form, const CallOptions& options) {
  using Traits = RequestTraits<Request>;
  const auto& provider = core.provider();
  Overrides overrides;
  if constexpr (requires { request.stream; }) {
    if (provider.explicit_stream) overrides.add("stream", form == AnswerForm::stream ? "true" : "false");
  }
  if (!route.model_in_body) overrides.add("model", {});
  if constexpr (requires { Traits::add_overrides(provider, request, overrides); }) {
    if (auto added = Traits::add_overrides(provider, request, overrides); !added)
      return std::move(added).error();
  }
  const bool nested = options.nested_tools.value_or(provider.nested_tools);
  auto body = json::encode(request, overrides.list(), nested ? json::Spelling::nested : json::Spelling::flat);
  if (!body) return body;
  auto checked = preflight(core, *body, Traits::rules(), options);
  if (!checked) return std::move(checked).error();
  if constexpr (requires { Traits::after_preflight(core, *body, request, options); }) {
    Traits::after_preflight(core, *body, request, options);
  }
  return body;
}

}  // namespace inferwire::inline v0_1::client
