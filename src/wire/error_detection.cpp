// Whether a document that should be an answer is an error.
#include "base/ascii.hpp"
#include "json/text.hpp"
#include "wire/error_body.hpp"
#include "wire/lenient_json.hpp"

#include <utility>

namespace inferwire::inline v0_1::wire {
namespace {

/// Whether a `type` is the name of an error: "BadRequestError", "invalid_request_error",
/// "ValidationException".
bool names_error(const Optional<Json>& type) {
  const std::string name = word(type);
  return ascii::find_ignoring_case(name, "error") != std::string::npos ||
         ascii::find_ignoring_case(name, "exception") != std::string::npos;
}

/// Whether the members of a document, looked up by `member`, make it an error. If it also holds an answer,
/// only `error` does.
template <class Lookup>
bool is_error(const Lookup& member, bool answers) {
  if (says_something(member("error"))) return true;
  if (answers) return false;
  if (says_something(member("error_code"))) return true;
  const auto minimax = member("base_resp");
  if (minimax && says_something(minimax->find("/status_code"))) return true;
  const auto details = member("details");
  if (details && word(details->find("/finish_reason")) == "error") return true;  // LMI, on a last line
  const auto message = member("message");
  if (!message || !message->is_string() || !says_something(*message)) return false;
  return says_something(member("code")) || word(member("object")) == "error" || names_error(member("type"));
}

}  // namespace

std::optional<ErrorFacts> error_in_members(const Extra& unknown_members, bool answers) {
  const auto member = [&](std::string_view name) -> Optional<Json> {
    const Json* const found = unknown_members.find(name);
    return found != nullptr ? Optional<Json>(*found) : std::nullopt;
  };
  const auto groq = member("x_groq");  // tells in a chunk why its stream ends early
  if (auto error = groq ? groq->find("/error") : std::nullopt; says_something(error)) {
    Extra alone;
    alone.set("error", *std::move(error));
    return error_in_members(alone, true);
  }
  if (!is_error(member, answers)) return std::nullopt;
  std::string document = "{";
  for (const Member& one : unknown_members) {
    if (document.size() > 1) document += ',';
    json::append_string(document, one.name);
    document += ':';
    document += one.value.text();
  }
  document += '}';
  return read_error_body(document, {});
}

std::optional<ErrorFacts> error_in_document(std::string_view text) {
  const auto object = object_in(element_alone(text));
  if (!object) return std::nullopt;
  const auto has = [&object](std::string_view pointer) {
    const auto value = object->find(pointer);
    return value && !value->is_null();
  };
  const bool answers = has("/choices") || has("/data") || has("/output");
  const auto member = [&](std::string_view name) { return object->find("/" + std::string(name)); };
  if (!is_error(member, answers)) return std::nullopt;
  return read_error_body(text, {});
}

}  // namespace inferwire::inline v0_1::wire
