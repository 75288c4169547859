#include "engine/refusal.hpp"

#include "engine/utf8.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::engine::refuse {

Refusal invalid_json(std::string_view where) {
  return {.cause = Cause::invalid_json,
          .message = "The request body is not valid JSON: " + std::string(where) + "."};
}

Refusal missing(std::string param) {
  auto message = "Missing required parameter: '" + param + "'.";
  return {
      .cause = Cause::missing_required_parameter, .message = std::move(message), .param = std::move(param)};
}

Refusal wrong_type(std::string param, std::string_view expected, std::string_view got) {
  auto message = "Invalid type for '" + param + "': expected " + std::string(expected) + ", but got " +
                 std::string(got) + ".";
  return {.cause = Cause::invalid_type, .message = std::move(message), .param = std::move(param)};
}

Refusal invalid_value(std::string param, std::string_view problem) {
  auto message = "Invalid value for '" + param + "': " + std::string(problem) + ".";
  return {.cause = Cause::invalid_value, .message = std::move(message), .param = std::move(param)};
}

Refusal too_many(std::string param, std::size_t most, std::string_view unit, std::size_t got) {
  return invalid_value(std::move(param), "at most " + std::to_string(most) + " " + std::string(unit) +
                                             " are supported, but got " + std::to_string(got));
}

Refusal unsupported(std::string param, std::string_view why) {
  auto message = "Unsupported parameter: '" + param + "' " + std::string(why) + ".";
  return {.cause = Cause::unsupported_parameter, .message = std::move(message), .param = std::move(param)};
}

Refusal unknown_member(std::string param, std::string_view name) {
  // Databricks' exact message: its servers decode with Go's DisallowUnknownFields.
  return {.cause = Cause::unknown_parameter,
          .message = "Bad request: json: unknown field \"" + shortened(name) + "\"",
          .param = std::move(param)};
}

Refusal context_length(std::string param, std::int64_t window, std::int64_t prompt, std::int64_t answer) {
  const auto needed = static_cast<std::uint64_t>(prompt) + static_cast<std::uint64_t>(answer);
  return {.cause = Cause::context_length_exceeded,
          .message = "This model's maximum context length is " + std::to_string(window) +
                     " tokens, however the request needs " + std::to_string(needed) + " (" +
                     std::to_string(prompt) + " in the prompt, " + std::to_string(answer) +
                     " for the completion).",
          .param = std::move(param)};
}

Refusal invalid_schema(Cause cause, std::string param, std::string_view of, std::string_view problem) {
  return {.cause = cause,
          .message = "Invalid schema for " + std::string(of) + ": " + std::string(problem) + ".",
          .param = std::move(param)};
}

Refusal wrong_task(std::string_view endpoint, std::string_view does, std::string_view asked) {
  return {.cause = Cause::unsupported_task,
          .message = "The endpoint '" + shortened(endpoint) + "' does " + std::string(does) + ", not " +
                     std::string(asked) + ".",
          .param = "model"};
}

Refusal no_key() {
  return {.status = 401,
          .cause = Cause::missing_api_key,
          .message = "No API key provided: send it as 'Authorization: Bearer <key>'."};
}

Refusal wrong_key() {
  return {.status = 401, .cause = Cause::invalid_api_key, .message = "Incorrect API key provided."};
}

Refusal no_signature() {
  return {.status = 401, .cause = Cause::missing_api_key, .message = "Missing Authentication Token"};
}

Refusal wrong_signature() {
  return {.status = 401,
          .cause = Cause::invalid_api_key,
          .message = "The request signature we calculated does not match the signature you provided."};
}

Refusal no_route(std::string_view method, std::string_view path) {
  return {.status = 404,
          .cause = Cause::unknown_url,
          .message = "No API found for '" + shortened(method) + " " + shortened(path) + "'."};
}

Refusal no_endpoint(std::string_view name) {
  return {.status = 404,
          .cause = Cause::model_not_found,
          .message = "The model '" + shortened(name) + "' does not exist.",
          .param = "model"};
}

// These have OpenAI's wording.

Refusal no_response(std::string_view id) {
  return {.status = 404, .message = "Response with id '" + shortened(id) + "' not found."};
}

Refusal no_previous_response(std::string_view id) {
  return {.cause = Cause::previous_response_not_found,
          .message = "Previous response with id '" + shortened(id) + "' not found.",
          .param = "previous_response_id"};
}

Refusal no_item(std::string_view id, bool stored) {
  auto message = "Item with id '" + shortened(id) + "' not found.";
  if (!stored) {
    message +=
        " Items are not persisted when `store` is set to false. Try again with `store` set to true, or "
        "remove "
        "this item from your input.";
  }
  return {.status = 404, .message = std::move(message), .param = "input"};
}

Refusal duplicate_item(std::string_view id) {
  return {.message = "Duplicate item found with id " + shortened(id) +
                     ". Remove duplicate items from your input and try again.",
          .param = "input"};
}

Refusal unanswered_calls(const std::vector<std::string_view>& ids, std::string param) {
  constexpr std::size_t most = 16;
  std::string all;
  for (std::size_t i = 0; i < std::min(ids.size(), most); ++i) all += (i > 0 ? ", " : "") + shortened(ids[i]);
  if (ids.size() > most) all += ", ...";
  return {.message =
              "An assistant message with 'tool_calls' must be followed by tool messages responding to "
              "each 'tool_call_id'. The following tool_call_ids did not have response messages: " +
              all,
          .param = std::move(param)};
}

Refusal answered_twice(std::string_view id, std::size_t first, std::size_t second) {
  const auto last = std::to_string(second);
  return {.message = "Invalid parameter: Duplicate value for 'tool_call_id' of '" + shortened(id) +
                     "', in messages[" + std::to_string(first) + "] and messages[" + last + "].",
          .param = "messages.[" + last + "].tool_call_id"};
}

Refusal no_output(std::string_view call_id) {
  return {.message = "No tool output found for function call " + shortened(call_id) + ".", .param = "input"};
}

Refusal no_call(std::string_view call_id) {
  return {.message = "No tool call found for function call output with call_id " + shortened(call_id) + ".",
          .param = "input"};
}

Refusal no_stream(std::string_view param) {
  return {.message = "This response cannot be streamed because it was not created with " +
                     std::string(param) + "=true.",
          .param = "stream"};
}

Refusal no_cancellation() { return {.message = "Cannot cancel a synchronous response."}; }

Refusal endpoint_not_found(std::string_view name) {
  return {.status = 404,
          .cause = Cause::endpoint_not_found,
          .message = "Endpoint with name '" + shortened(name) + "' does not exist.",
          .param = "name"};
}

Refusal endpoint_exists(std::string_view name) {
  return {.cause = Cause::endpoint_exists,
          .message = "Endpoint with name '" + shortened(name) + "' already exists.",
          .param = "name"};
}

Refusal wrong_method(std::string_view method, std::string allow) {
  return {.status = 405,
          .cause = Cause::method_not_allowed,
          .message = "The method " + shortened(method) + " is not allowed here; allowed: " + allow + ".",
          .allow = std::move(allow)};
}

Refusal wrong_media_type() {
  return {.status = 415,
          .cause = Cause::unsupported_media_type,
          .message = "The request's Content-Type has to be application/json."};
}

Refusal too_large(std::uint64_t limit) {
  return {.status = 413,
          .cause = Cause::payload_too_large,
          .message = "The request body is larger than " + std::to_string(limit) + " bytes."};
}

Refusal timed_out() {
  return {.status = 504,
          .cause = Cause::timeout,
          .message = "The answer took longer than the engine's deadline."};
}

Refusal unscripted(std::string_view why) {
  return {.status = 404,
          .cause = Cause::unscripted,
          .message = "No rule of the script matches: " + std::string(why)};
}

Refusal unrecorded(std::string_view method, std::string_view target, std::string_view difference) {
  auto message = "The cassette has no such request: '" + shortened(method) + " " + shortened(target) + "'.";
  if (!difference.empty())
    message += " The body of the most similar one differs at '" + shortened(difference) + "'.";
  return {.status = 404, .cause = Cause::unrecorded, .message = std::move(message)};
}

Refusal unreachable(std::string_view why) {
  return {.status = 502,
          .cause = Cause::server_error,
          .message = "The service cannot be asked: " + std::string(why) + "."};
}

Refusal plain_http_key(std::string_view host, std::string_view allowed_by) {
  return {.cause = Cause::plain_http_key,
          .message = "A key would be sent over plain http to " + shortened(host) +
                     "; use https, or allow it by " + std::string(allowed_by) + "."};
}

Refusal scripted(int status, std::string message) {
  const auto cause = [status] {
    switch (status) {
      case 401: return Cause::missing_api_key;
      case 403: return Cause::permission_denied;
      case 404: return Cause::model_not_found;
      case 405: return Cause::method_not_allowed;
      case 413: return Cause::payload_too_large;
      case 415: return Cause::unsupported_media_type;
      case 429: return Cause::rate_limit_exceeded;
      case 503: return Cause::overloaded;
      case 504: return Cause::timeout;
      default: return status >= 500 ? Cause::server_error : Cause::invalid_value;
    }
  };
  return {.status = status, .cause = cause(), .message = std::move(message)};
}

Refusal failed(std::string_view why) {
  return {
      .status = 500, .cause = Cause::server_error, .message = "The engine failed: " + std::string(why) + "."};
}

Refusal thrown() { return failed("something that it works with has thrown an exception"); }

}  // namespace inferwire::inline v0_1::engine::refuse
