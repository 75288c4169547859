/// \file
/// Why a request is not answered, independent of any provider's error form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// The kinds of causes, named as in the `code` of OpenAI's errors.
enum class Cause : std::uint8_t {
  unnamed,  ///< OpenAI's `code` is null
  invalid_json,
  missing_required_parameter,
  invalid_type,
  invalid_value,
  unsupported_parameter,
  unknown_parameter,
  context_length_exceeded,
  invalid_json_schema,
  invalid_function_parameters,
  unsupported_task,
  missing_api_key,
  invalid_api_key,
  permission_denied,
  unknown_url,
  model_not_found,
  previous_response_not_found,
  endpoint_not_found,
  endpoint_exists,
  method_not_allowed,
  unsupported_media_type,
  payload_too_large,
  rate_limit_exceeded,
  overloaded,
  timeout,
  server_error,
  unscripted,
  unrecorded,
  plain_http_key,
};

/// A refusal as facts. Messages have OpenAI's wording if it is known, and name the parameter.
struct Refusal {
  int status{400};
  Cause cause{};
  std::string message{};
  std::string param{};        ///< the path of the parameter at fault, "messages[0].role"; empty: none
  std::string allow{};        ///< the methods of the path, for the Allow header of a 405
  std::string retry_after{};  ///< seconds or a date, for the Retry-After header; empty: none
};

/// A value, or why there is none. It is used like a Result: `if (!made) return made.refusal();`.
template <class T>
class [[nodiscard]] OrRefusal {
 public:
  template <class U = T>
    requires std::is_convertible_v<U, T>
  OrRefusal(U&& value) : state_(std::in_place_index<0>, std::forward<U>(value)) {}
  OrRefusal(Refusal refusal) : state_(std::in_place_index<1>, std::move(refusal)) {}

  explicit operator bool() const noexcept { return state_.index() == 0; }

  T& operator*() & { return *std::get_if<0>(&state_); }
  const T& operator*() const& { return *std::get_if<0>(&state_); }
  T operator*() && { return std::move(**this); }
  T* operator->() { return std::get_if<0>(&state_); }
  const T* operator->() const { return std::get_if<0>(&state_); }

  const Refusal& refusal() const& { return *std::get_if<1>(&state_); }
  Refusal refusal() && { return std::move(*std::get_if<1>(&state_)); }

 private:
  std::variant<T, Refusal> state_;
};

namespace refuse {

Refusal invalid_json(std::string_view where);
Refusal missing(std::string param);
/// `expected` and `got` with their article: "an integer", "a string".
Refusal wrong_type(std::string param, std::string_view expected, std::string_view got);
/// `problem`: what is wrong, such as "expected a number in [0, 2], but got 3".
Refusal invalid_value(std::string param, std::string_view problem);
/// There are more of something than are supported. `unit`: of what, such as "strings".
Refusal too_many(std::string param, std::size_t most, std::string_view unit, std::size_t got);
/// `why` continues "Unsupported parameter: 'n'": "is only available for ...".
Refusal unsupported(std::string param, std::string_view why);
Refusal unknown_member(std::string param, std::string_view name);
/// `param`: the parameter with the prompt, such as "messages".
Refusal context_length(std::string param, std::int64_t window, std::int64_t prompt, std::int64_t answer);
/// `of`: the owner of the schema, "function 'get_weather'"; `problem`: what is wrong with it, and where.
Refusal invalid_schema(Cause cause, std::string param, std::string_view of, std::string_view problem);
/// The endpoint exists, but has another task; tasks have Databricks' names.
Refusal wrong_task(std::string_view endpoint, std::string_view does, std::string_view asked);

Refusal no_key();
Refusal wrong_key();
Refusal no_signature();
Refusal wrong_signature();
Refusal no_route(std::string_view method, std::string_view path);
Refusal no_endpoint(std::string_view name);
Refusal no_response(std::string_view id);
/// No response has the id that `previous_response_id` names.
Refusal no_previous_response(std::string_view id);
/// An item of the input refers to one that is not kept. `stored`: whether the request's items would be kept.
Refusal no_item(std::string_view id, bool stored);
/// Two items of the conversation have this id.
Refusal duplicate_item(std::string_view id);
/// Calls of a chat without an answer. `param`: where an answer is missing, such as "messages.[2].role".
Refusal unanswered_calls(const std::vector<std::string_view>& ids, std::string param);
/// A call of a chat with two answers, in the messages with these indices.
Refusal answered_twice(std::string_view id, std::size_t first, std::size_t second);
/// A call of the Responses API without an output, named by its id.
Refusal no_output(std::string_view call_id);
/// An output of the Responses API that answers no call.
Refusal no_call(std::string_view call_id);
/// The events of a kept response cannot be read, for it was not created with `param`.
Refusal no_stream(std::string_view param);
/// A kept response was not made in the background.
Refusal no_cancellation();
/// No such endpoint, reported by the control plane, which has a different code for it.
Refusal endpoint_not_found(std::string_view name);
Refusal endpoint_exists(std::string_view name);
Refusal wrong_method(std::string_view method, std::string allow);
Refusal wrong_media_type();
Refusal too_large(std::uint64_t limit);
/// The answer took longer than the engine's deadline.
Refusal timed_out();
/// No rule of a strict script matches; `why`: what the rules require.
Refusal unscripted(std::string_view why);
/// A cassette has no such request; `difference` is where the JSON of the most similar one differs, or empty.
Refusal unrecorded(std::string_view method, std::string_view target, std::string_view difference);
/// The upstream of a proxy does not answer.
Refusal unreachable(std::string_view why);
/// A proxy would have to send a key over plain http, which `allowed_by` allows.
Refusal plain_http_key(std::string_view host, std::string_view allowed_by);
/// A refusal requested by a script: the cause follows from the status.
Refusal scripted(int status, std::string message);
/// An internal error of the engine, such as a model that cannot be used.
Refusal failed(std::string_view why);
/// An exception ended the work. Its message is not included: it may contain a prompt.
Refusal thrown();

}  // namespace refuse
}  // namespace inferwire::inline v0_1::engine
