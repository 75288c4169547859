#include "wire/error_body.hpp"

#include "base/utf8.hpp"
#include "json/beginning.hpp"
#include "json/codec.hpp"
#include "json/scanner.hpp"
#include "json/text.hpp"
#include "json/text_at.hpp"
#include "wire/html_message.hpp"
#include "wire/lenient_json.hpp"
#include "wire/python_repr.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace inferwire::inline v0_1::wire {
namespace {

constexpr std::size_t longest_message = 4096;
constexpr std::size_t longest_fact = 300;
/// How many errors inside of one another are read.
constexpr int deepest = 2;

std::string first_word(const Json& object, std::initializer_list<std::string_view> pointers) {
  for (const std::string_view pointer : pointers) {
    if (std::string found = word(object.find(pointer)); !found.empty()) return found;
  }
  return {};
}

bool says_something_in(const Json& object) {
  return std::ranges::any_of(object.members(), [](const Member& m) { return says_something(m.value); });
}

/// Removes the `CODE: ` that servers repeat in front of a message, once.
void strip_code(std::string& message, const std::string& code) {
  if (!code.empty() && message.size() > code.size() + 2 && message.starts_with(code) &&
      std::string_view(message).substr(code.size()).starts_with(": ")) {
    message.erase(0, code.size() + 2);
  }
}

/// FastAPI: `[{"loc": ["body", "temperature"], "msg": "...", "type": "..."}]`.
void read_details_list(const Json& list, ErrorFacts& facts) {
  for (const Json& item : list.items()) {
    std::string place;
    std::string last;
    if (const auto loc = item.find("/loc")) {
      for (const Json& step : loc->items()) {
        last = word(step);
        if (!place.empty()) place += '.';
        place += last;
      }
    }
    std::string text = item.is_string() ? word(item) : first_word(item, {"/msg", "/message"});
    if (text.empty()) continue;
    if (!facts.message.empty()) facts.message += "; ";
    facts.message += place.empty() ? text : place + ": " + text;
    if (facts.param.empty()) facts.param = last;
  }
}

void fill(std::string& fact, std::string&& found) {
  if (fact.empty()) fact = std::move(found);
}

void read_object(const Json& object, ErrorFacts& facts, int nesting);

/// Reads a server's message: a text, a list of details, or an object around one of these (Mistral) or around
/// an error (FastAPI).
void read_words(const Json& said, ErrorFacts& facts, int nesting) {
  if (said.is_array()) return read_details_list(said, facts);
  if (!said.is_object()) {
    facts.message = word(said);
    return;
  }
  facts.message = first_word(said, {"/message", "/msg", "/error", "/detail"});
  if (nesting >= deepest) return;
  ErrorFacts inner;
  read_object(said, inner, nesting + 1);
  fill(facts.message, std::move(inner.message));
  fill(facts.code, std::move(inner.code));
  fill(facts.type, std::move(inner.type));
  fill(facts.param, std::move(inner.param));
  fill(facts.original_code, std::move(inner.original_code));
  fill(facts.request_id, std::move(inner.request_id));
  if (!facts.retry_delay) facts.retry_delay = inner.retry_delay;
}

/// Reads the first of these members that holds a message.
void read_first(const Json& object, std::initializer_list<std::string_view> pointers, ErrorFacts& facts,
                int nesting) {
  for (const std::string_view pointer : pointers) {
    if (!facts.message.empty()) return;
    if (const auto said = object.find(pointer)) read_words(*said, facts, nesting);
  }
}

/// A duration of google.protobuf: "1.5s".
std::optional<std::chrono::milliseconds> read_duration(std::string_view text) {
  if (!text.ends_with('s')) return std::nullopt;
  text.remove_suffix(1);
  const auto seconds = json::number_of(text);
  constexpr double longest = 1e9;
  if (!seconds || *seconds < 0 || *seconds > longest) return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(*seconds * 1000)));
}

/// `details` of google.rpc: RetryInfo, RequestInfo and ErrorInfo, whose reason is more specific than a code
/// of 400.
void read_rpc_details(const Json& object, ErrorFacts& facts) {
  const auto details = object.find("/details");
  if (!details) return;
  for (const Json& detail : details->items()) {
    const std::string type = word(detail.find("/@type"));
    if (type.ends_with("google.rpc.RetryInfo")) {
      facts.retry_delay = read_duration(first_word(detail, {"/retry_delay", "/retryDelay"}));
    } else if (type.ends_with("google.rpc.RequestInfo")) {
      facts.request_id = first_word(detail, {"/request_id", "/requestId"});
    } else if (type.ends_with("google.rpc.ErrorInfo")) {
      facts.original_code = first_word(detail, {"/reason"});
    }
  }
}

/// vLLM behind LMI: an error in Python's printed form.
void read_repr(std::string_view text, ErrorFacts& facts) {
  auto message = repr_field(text, "message");
  auto code = repr_field(text, "code");
  if (!message || !code) return;
  facts.message = *std::move(message);
  facts.code = *std::move(code);
  facts.type = repr_field(text, "type").value_or("");
  facts.param = repr_field(text, "param").value_or("");
}

void set_original_status(ErrorFacts& facts, std::optional<std::int64_t> status) {
  if (status && *status >= 0 && *status < 1000) facts.original_status = static_cast<int>(*status);
}

/// SageMaker's summary of a container's answer: `Received client error (400) from NAME with message "BODY".
/// See https://...`, the whole error at its OpenAI-compatible route and in boto, behind words of others in
/// proxies. BODY, whose quotes are not escaped, becomes the message, unless words of others follow it.
void take_container_answer(ErrorFacts& facts) {
  constexpr std::string_view before_body = " with message \"";
  const std::string_view text = facts.message;
  auto begin = text.find("Received client error (");
  if (begin == text.npos) begin = text.find("Received server error (");
  if (begin == text.npos) return;
  const auto status = text.find('(', begin) + 1;
  if (!facts.original_status) {
    set_original_status(facts, json::integer_of(text.substr(status, text.find(')', status) - status)));
  }
  auto body = text.find(before_body, status);
  if (body == text.npos) return;
  body += before_body.size();
  auto end = text.rfind("\". See https://");
  if (end == text.npos) end = text.find_last_not_of(". \t\r\n");
  if (text[end] == '"' && end > body) facts.message = std::string(text.substr(body, end - body));
}

/// A message that is itself an error is unwrapped (Databricks in front of external models, SageMaker in front
/// of a container, LMI in front of vLLM); the outer code stays.
void unwrap_message(ErrorFacts& facts, int nesting) {
  if (nesting >= deepest) return;
  take_container_answer(facts);
  ErrorFacts found;
  if (const auto inner = object_in(element_alone(facts.message))) {
    read_object(*inner, found, nesting + 1);
  } else if (auto said = html_message(facts.message)) {
    found.message = *std::move(said);
  } else {
    read_repr(facts.message, found);
  }
  if (found.message.empty()) return;
  facts.message = std::move(found.message);
  // The innermost code is the one given by the model.
  if (!found.original_code.empty()) found.code = std::move(found.original_code);
  if (!found.code.empty()) facts.original_code = std::move(found.code);
  fill(facts.type, std::move(found.type));
  fill(facts.param, std::move(found.param));
}

/// OpenRouter: the message of the upstream provider, if the outer message only says that it failed.
void take_raw_message(const Json& error, ErrorFacts& facts) {
  if (facts.message != "Provider returned error") return;
  std::string raw = word(error.find("/metadata/raw"));
  if (!raw.empty() && !json::trim(raw).starts_with('<')) facts.message = std::move(raw);
}

/// SageMaker: the container's own answer is in OriginalMessage.
bool read_sagemaker(const Json& object, ErrorFacts& facts, int) {
  if (!object.find("/OriginalMessage") && !object.find("/OriginalStatusCode")) return false;
  if (const auto status = object.find("/OriginalStatusCode")) {
    set_original_status(facts, status->as_int().value_or(0));
  }
  facts.code = first_word(object, {"/ErrorCode"});
  facts.message = first_word(object, {"/OriginalMessage", "/Message", "/message"});
  return true;
}

/// Databricks in front of an external model, whose own error may be an object or a text.
bool read_external_model(const Json& object, ErrorFacts& facts, int nesting) {
  read_first(object, {"/external_model_error", "/external_model_message"}, facts, nesting);
  if (facts.message.empty()) return false;
  fill(facts.code, first_word(object, {"/error_code"}));
  return true;
}

/// OpenAI, and most others.
bool read_error_object(const Json& object, ErrorFacts& facts, int nesting) {
  const auto error = object.find("/error");
  if (!error || !error->is_object() || !says_something(*error)) return false;
  facts.code = first_word(*error, {"/code", "/error_code"});
  facts.type = first_word(*error, {"/type"});
  fill(facts.type, json::text_at(*error, "/status"));  // Google; elsewhere it is the number
  facts.param = first_word(*error, {"/param"});
  read_first(*error, {"/message", "/msg", "/detail"}, facts, nesting);
  take_raw_message(*error, facts);
  read_rpc_details(*error, facts);
  return true;
}

/// Databricks.
bool read_error_code(const Json& object, ErrorFacts& facts, int nesting) {
  if (!says_something(object.find("/error_code"))) return false;
  facts.code = first_word(object, {"/error_code"});
  read_first(object, {"/message", "/error_msg", "/error", "/detail"}, facts, nesting);
  strip_code(facts.message, facts.code);
  return true;
}

/// AWS: "com.amazonaws.bedrock#ThrottlingException".
std::string without_namespace(std::string type) {
  if (const auto mark = type.find('#'); mark != type.npos) type.erase(0, mark + 1);
  return type;
}

/// LMI puts the cause into `error` and a summary into `message`.
void read_error_text(const Json& object, const Json& error, ErrorFacts& facts, int nesting) {
  const auto status = object.find("/status");
  // Beside a status it is only the name of one (Spring, Scaleway).
  if (status && status->is_number()) read_first(object, {"/message"}, facts, nesting);
  fill(facts.message, word(error));
  // A gateway in front that checks OAuth's tokens puts a code here (RFC 6749, section 5.2).
  if (auto said = first_word(object, {"/error_description"}); !said.empty()) {
    fill(facts.code, std::exchange(facts.message, std::move(said)));
  }
}

/// All others.
bool read_flat(const Json& object, ErrorFacts& facts, int nesting) {
  // `errors`: a list or one object (Cloudflare). `base_resp`: MiniMax.
  facts.code = first_word(object, {"/code", "/ErrorCode", "/scimType", "/errors/0/code", "/errors/code",
                                   "/base_resp/status_code"});
  facts.type = first_word(object, {"/type", "/error_type"});
  fill(facts.type, without_namespace(first_word(object, {"/__type"})));
  facts.param = first_word(object, {"/param"});
  const auto error = object.find("/error");
  if (error && error->is_string() && says_something(*error)) read_error_text(object, *error, facts, nesting);
  // `error_msg`: APISIX. `error_message`: OpenCode's gateway. `title`: RFC 9457, without details.
  read_first(object,
             {"/message", "/Message", "/msg", "/detail", "/errors", "/base_resp/status_msg", "/error_msg",
              "/error_message", "/title"},
             facts, nesting);
  if (error && error->is_array()) read_first(object, {"/error"}, facts, nesting);  // Hugging Face
  strip_code(facts.message, facts.code);
  return true;
}

/// Reads an error by the first of the forms that it has, the most informative first.
void read_object(const Json& object, ErrorFacts& facts, int nesting) {
  constexpr bool (*forms[])(const Json&, ErrorFacts&, int) = {
      &read_sagemaker, &read_external_model, &read_error_object, &read_error_code, &read_flat};
  read_rpc_details(object, facts);
  fill(facts.request_id, first_word(object, {"/request_id", "/requestId"}));
  for (const auto read : forms) {
    if (read(object, facts, nesting)) break;
  }
  unwrap_message(facts, nesting);
}

/// `ERROR_CODE: text`, the form that older Databricks services use.
void read_text(std::string_view text, ErrorFacts& facts) {
  facts.message = text;
  const std::size_t colon = text.find(": ");
  if (colon == std::string_view::npos || colon < 2 || colon > 64) return;
  const std::string_view code = text.substr(0, colon);
  const bool looks_like_one = std::all_of(code.begin(), code.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  if (!looks_like_one) return;
  facts.code = code;
  facts.message = text.substr(colon + 2);
}

/// Whether this is text at all, rather than binary data.
bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c >= ' ' || (c >= '\t' && c <= '\r'); });
}

}  // namespace

ErrorFacts read_error_body(std::string_view body, std::string_view reason_phrase) {
  ErrorFacts facts;
  const bool is_cut = body.size() >= most_error_bytes;  // here, or where a stream was received
  const auto beginning = json::trim(body.substr(0, most_error_bytes));
  const auto closed = is_cut ? json::closed_beginning(beginning) : std::string();
  const auto text = closed.empty() ? beginning : std::string_view(closed);
  if (const auto object = object_in(element_alone(text))) {
    facts.is_object = true;
    read_object(*object, facts, 0);
    // An object in no dialect known here is its own message, unless all its members are null or empty.
    const bool tells_less = facts.code.empty() || reason_phrase.empty();
    if (facts.message.empty() && tells_less && says_something_in(*object)) facts.message = object->text();
  } else if (auto said = html_message(text)) {
    facts.message = *std::move(said);
  } else if (const auto string = json::string_of(text.substr(0, longest_message))) {
    read_text(*string, facts);
  } else if (is_printable(text.substr(0, longest_message))) {
    read_text(text.substr(0, longest_message), facts);
  }
  const auto said = json::trim(facts.message);
  facts.message = utf8::whole_characters(json::as_utf8(said.empty() ? reason_phrase : said), longest_message);
  for (std::string* fact :
       {&facts.code, &facts.type, &facts.param, &facts.original_code, &facts.request_id}) {
    if (*fact == "None") fact->clear();  // LiteLLM prints Python's None
    *fact = utf8::whole_characters(json::as_utf8(*fact), longest_fact);
  }
  return facts;
}

}  // namespace inferwire::inline v0_1::wire
