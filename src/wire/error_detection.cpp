// Whether a document that should be an answer is an error.
#include "base/ascii.hpp"
#include "json/scanner.hpp"
#include "json/text.hpp"
#include "wire/error_body.hpp"
#include "wire/lenient_json.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
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

bool is_text(const Optional<Json>& value) { return value && value->is_string() && says_something(*value); }

/// Whether a value is an HTTP status in this range, without its end.
bool is_status(const Optional<Json>& value, int first, int end) {
  const auto status = json::number_of(word(value)).value_or(0);
  return status >= first && status < end;
}

/// What is known of a document.
enum class Document : std::uint8_t {
  raw,     ///< it is the answer to a raw request: a report of a failure may be what the program asks for
  any,     ///< it may be an answer of any service
  unread,  ///< it could not be decoded as an answer
};

/// Whether a member may be part of a report of a failure: otherwise the document holds something else.
bool belongs_to_report(std::string_view name, std::string_view value) {
  constexpr std::string_view names[] = {"success",   "code",      "status",   "msg",
                                        "message",   "errors",    "error",    "request_id",
                                        "requestId", "timestamp", "trace_id", "path"};
  return std::ranges::find(names, name) != std::end(names) || !says_something(value);
}

/// Whether a document is a failure in the form of Z.ai, Cloudflare or iFlow. An answer may have such members
/// as well: `{"code":10000,"msg":"OK"}`, `{"type":"tool_result","success":false,"msg":"no match"}`.
/// `is_report` tells whether all its members belong to a report.
template <class Lookup, class IsReport>
bool reports_failure(const Lookup& member, const IsReport& is_report, Document kind) {
  if (kind == Document::raw || (kind == Document::any && !is_report())) return false;
  const bool has_text = is_text(member("msg"));
  const auto success = member("success");
  if (success && success->is_bool()) {
    const bool told = has_text || is_text(member("message")) || says_something(member("errors"));
    return success->as_bool() == false && told;
  }
  if (!has_text) return false;
  const auto code = member("code");
  if (is_status(code, 400, 600) || is_status(member("status"), 400, 600)) return true;
  return kind == Document::unread && json::number_of(word(code)).value_or(0) != 0 &&
         !is_status(code, 200, 300);
}

/// Whether the members of a document, looked up by `member`, make it an error. If it also holds an answer,
/// only `error` does.
template <class Lookup, class IsReport>
bool is_error(const Lookup& member, const IsReport& is_report, bool answers, Document kind = Document::any) {
  if (says_something(member("error"))) return true;
  if (answers) return false;
  if (says_something(member("error_code"))) return true;
  if (is_text(member("error_message")) && names_error(member("error_type"))) return true;
  const auto minimax = member("base_resp");
  if (minimax && says_something(minimax->find("/status_code"))) return true;
  const auto details = member("details");
  if (details && word(details->find("/finish_reason")) == "error") return true;  // LMI, on a last line
  if (is_text(member("message")) &&
      (says_something(member("code")) || word(member("object")) == "error" || names_error(member("type")))) {
    return true;
  }
  return reports_failure(member, is_report, kind);
}

std::optional<ErrorFacts> error_in_text(std::string_view text, Document kind) {
  const auto object = object_in(element_alone(text));
  if (!object) return std::nullopt;
  const auto has = [&object](std::string_view pointer) {
    const auto value = object->find(pointer);
    return value && !value->is_null();
  };
  const bool answers = has("/choices") || has("/data") || has("/output");
  const auto member = [&](std::string_view name) { return object->find("/" + std::string(name)); };
  const auto is_report = [&object] {
    json::Items members(object->text());
    while (members.next()) {
      if (!belongs_to_report(members.raw_key(), members.value())) return false;
    }
    return true;
  };
  if (!is_error(member, is_report, answers, kind)) return std::nullopt;
  return read_error_body(text, {});
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
  const auto is_report = [&unknown_members] {
    return std::ranges::all_of(
        unknown_members, [](const Member& one) { return belongs_to_report(one.name, one.value.text()); });
  };
  if (!is_error(member, is_report, answers)) return std::nullopt;
  std::string document = "{";
  for (const Member& one : unknown_members) {
    json::append_name(document, one.name);
    document += one.value.text();
  }
  document += '}';
  return read_error_body(document, {});
}

std::optional<ErrorFacts> error_in_document(std::string_view text) {
  return error_in_text(text, Document::any);
}

std::optional<ErrorFacts> error_in_raw(std::string_view text) { return error_in_text(text, Document::raw); }

std::optional<ErrorFacts> error_in_unread(std::string_view text) {
  return error_in_text(text, Document::unread);
}

}  // namespace inferwire::inline v0_1::wire
