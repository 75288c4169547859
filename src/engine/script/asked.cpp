#include "engine/script/asked.hpp"

#include "engine/router.hpp"
#include "engine/script/expression.hpp"
#include "engine/script/glob.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

/// The text of a string, or of all `text` members of the objects in a list.
std::string text_of(const Document* value) {
  if (value == nullptr) return {};
  if (value->is_string()) return value->get<std::string>();
  std::string out;
  if (value->is_array()) {
    for (const auto& part : *value) out += text_of(part.is_string() ? &part : member(part, "text"));
  }
  return out;
}

Document parse(std::string_view body) {
  if (is_too_deep(body) || values_in(body) > most_document_values) return {};
  auto document = json_of(body);
  return document.is_object() ? document : Document();
}

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

bool has(const std::vector<Header>& headers, const Header& wanted) {
  const auto value = find_header(headers, wanted.name);
  return value && fits(wanted.value, *value);
}

bool has(const Document& body, const BodyValue& wanted) {
  try {
    const Document::json_pointer pointer(wanted.pointer);
    return body.contains(pointer) && body.at(pointer) == json_of(wanted.json);
  } catch (const Document::exception&) {  // not a pointer: matches nothing
    return false;
  }
}

}  // namespace

Asked::Asked(const HttpRequest& request, std::string name)
    : request_(request), body_(parse(request.body)), model_(std::move(name)) {
  if (model_.empty()) model_ = text(member(body_, "model"));
  if (const auto* messages = member(body_, "messages")) read_messages(*messages);
  if (const auto* instructions = member(body_, "instructions")) {
    said_.push_back({"system", text_of(instructions), ""});
  }
  for (const std::string_view name_of_text : {"input", "inputs", "prompt"}) {
    const auto* text = member(body_, name_of_text);
    if (text == nullptr) continue;
    const bool items = text->is_array() && !text->empty() && text->front().is_object();
    if (items) {
      read_messages(*text);
    } else {
      said_.push_back({"user", text_of(text), ""});
    }
  }
}

void Asked::read_messages(const Document& messages) {
  if (!messages.is_array()) return;
  for (const auto& message : messages) {
    const bool result = text(member(message, "type")) == "function_call_output";
    std::string role(result ? "tool" : text(member(message, "role")));
    if (role == "developer") role = "system";
    said_.push_back({std::move(role), text_of(member(message, result ? "output" : "content")),
                     std::string(text(member(message, result ? "call_id" : "tool_call_id")))});
  }
}

bool Asked::said(std::string_view part, std::string_view role) const {
  return std::ranges::any_of(said_, [&](const Said& said) {
    return (role.empty() || said.role == role) && said.text.find(part) != said.text.npos;
  });
}

const Asked::Said* Asked::last_user() const {
  const auto found =
      std::find_if(said_.rbegin(), said_.rend(), [](const Said& s) { return s.role == "user"; });
  return found == said_.rend() ? nullptr : &*found;
}

bool Asked::offers(std::string_view tool) const {
  const auto* tools = member(body_, "tools");
  if (tools == nullptr || !tools->is_array()) return false;
  return std::ranges::any_of(*tools, [&](const Document& offered) {
    const auto* function = member(offered, "function");
    return text(member(function != nullptr ? *function : offered, "name")) == tool;
  });
}

std::string_view Asked::format() const {
  const auto* format = member(body_, "response_format");
  if (const auto* text = member(body_, "text"); format == nullptr && text != nullptr) {
    format = member(*text, "format");
  }
  return format != nullptr ? text(member(*format, "type")) : std::string_view();
}

std::optional<std::string> Asked::misses(const Matcher& matcher) const {
  const auto& m = matcher;
  const auto* user = last_user();
  const auto& user_text = user != nullptr ? user->text : std::string();
  if (!m.method.empty() && m.method != request_.method) return "the method is not " + in_quotes(m.method);
  if (!m.path.empty() && !fits(m.path, path_of(request_.url))) return "the path is not " + in_quotes(m.path);
  if (!m.model.empty() && !fits(m.model, model_)) return "the model is not " + in_quotes(m.model);
  for (const auto& header : m.headers) {
    if (!has(request_.headers, header)) return "the header " + in_quotes(header.name) + " is not as wanted";
  }
  if (!m.last_user_contains.empty() && user_text.find(m.last_user_contains) == user_text.npos) {
    return "the last user message does not contain " + in_quotes(m.last_user_contains);
  }
  if (!m.last_user_matches.empty() && !finds(m.last_user_matches, user_text)) {
    return "the last user message does not match " + in_quotes(m.last_user_matches);
  }
  if (!m.system_contains.empty() && !said(m.system_contains, "system")) {
    return "no system message contains " + in_quotes(m.system_contains);
  }
  if (!m.any_text_contains.empty() && !said(m.any_text_contains)) {
    return "no text contains " + in_quotes(m.any_text_contains);
  }
  if (!m.tool.empty() && !offers(m.tool)) return "no tool is called " + in_quotes(m.tool);
  if (!m.tool_call_id.empty() &&
      std::ranges::none_of(said_, [&](const Said& s) { return s.call_id == m.tool_call_id; })) {
    return "no result is of the call " + in_quotes(m.tool_call_id);
  }
  if (!m.tool_result_contains.empty() && !said(m.tool_result_contains, "tool")) {
    return "no tool's result contains " + in_quotes(m.tool_result_contains);
  }
  if (!m.response_format.empty() && format() != m.response_format) {
    return "the response format is not " + in_quotes(m.response_format);
  }
  if (const auto* stream = member(body_, "stream"); m.stream) {
    const bool streams = stream != nullptr && stream->is_boolean() && stream->get<bool>();
    if (streams != *m.stream) return *m.stream ? "it does not stream" : "it streams";
  }
  for (const auto& value : m.body) {
    if (!has(body_, value)) return "the body's " + in_quotes(value.pointer) + " is not as wanted";
  }
  if (m.condition && !m.condition->holds(request_)) return "its condition does not hold";
  return std::nullopt;
}

}  // namespace inferwire::inline v0_1::engine
