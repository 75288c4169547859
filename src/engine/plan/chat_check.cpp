#include "engine/plan/chat_check.hpp"

#include "engine/plan/conversation.hpp"
#include "engine/plan/rule_check.hpp"
#include "engine/plan/sampling_plan.hpp"
#include "engine/plan/tool_plan.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {
namespace {

/// Whether the documents that apply to a question know a member of chats.
bool is_known(std::string_view name, const Question& question) {
  return protocol::find_rule(protocol::chat_rules(), question.speaker(), name) != nullptr;
}

/// Checks a document's metadata as AI21 documents it: pairs of strings, or a map of them.
std::optional<Refusal> check_metadata_of_document(const Document& metadata, const Place& place) {
  if (metadata.is_array()) {
    for (std::size_t i = 0; i < metadata.size(); ++i) {
      for (const auto* part : {"key", "value"}) {
        if (auto bad = need_text(metadata[i], part, place.element(i))) return bad;
      }
    }
    return std::nullopt;
  }
  if (!metadata.is_object())
    return refuse::wrong_type(place.text(), "a list or an object", kind_of(metadata));
  for (const auto& [name, value] : metadata.items()) {
    if (!value.is_string()) return refuse::wrong_type(place.member(name).text(), "a string", kind_of(value));
  }
  return std::nullopt;
}

/// Checks the metadata of documents. Providers other than AI21 do not document `documents`: there it may be
/// anything, which then cannot be decoded.
std::optional<Refusal> check_documents(const Document& document) {
  const auto* documents = member(document, "documents");
  const Place place{.name = "documents"};
  for (std::size_t i = 0; documents != nullptr && documents->is_array() && i < documents->size(); ++i) {
    const auto* metadata = member((*documents)[i], "metadata");
    if (metadata == nullptr) continue;
    if (auto bad = check_metadata_of_document(*metadata, place.element(i).member("metadata"))) return bad;
  }
  return std::nullopt;
}

std::optional<Refusal> check_format(const Document& document) {
  const auto* format = member(document, "response_format");
  if (format == nullptr || text(member(*format, "type")) != "json_schema") return std::nullopt;
  return member(*format, "json_schema") == nullptr ? refuse::missing("response_format.json_schema")
                                                   : std::optional<Refusal>();
}

std::optional<Refusal> check_thinking(const Document& document, const Endpoint& endpoint) {
  const auto* thinking = member(document, "thinking");
  if (thinking == nullptr) return std::nullopt;
  if (endpoint.reasoning != Reasoning::on_request) {
    return refuse::unsupported("thinking", "is only accepted by models that think on request");
  }
  const auto type = text(member(*thinking, "type"));
  if (type != "enabled" && type != "disabled") {
    return refuse::invalid_value("thinking.type", "expected one of 'enabled', 'disabled'");
  }
  if (type == "disabled") return std::nullopt;
  const auto* budget = member(*thinking, "budget_tokens");
  if (budget == nullptr) return refuse::missing("thinking.budget_tokens");
  if (node_kind(*budget) != protocol::NodeKind::integer) {
    return refuse::wrong_type("thinking.budget_tokens", "an integer", kind_of(*budget));
  }
  const auto* most = member(document, "max_tokens");
  const bool fits = most == nullptr || budget->get<double>() < most->get<double>();
  if (budget->get<double>() >= 1024 && fits) return std::nullopt;
  return refuse::invalid_value("thinking.budget_tokens",
                               "expected at least 1024, and less than 'max_tokens'");
}

/// Refuses what OpenAI's service supports and this engine does not. Ignoring it silently would be dishonest.
std::optional<Refusal> check_unserved(const Document& document) {
  for (const auto* name : {"functions", "function_call"}) {
    if (member(document, name) != nullptr) {
      return refuse::unsupported(name, "is not supported by this engine: it has 'tools' and 'tool_choice'");
    }
  }
  for (const auto* name : {"audio", "web_search_options"}) {
    if (member(document, name) != nullptr)
      return refuse::unsupported(name, "is not supported by this engine");
  }
  const auto* modalities = member(document, "modalities");
  const auto is_text = [](const Document& modality) { return modality == "text"; };
  if (modalities == nullptr || std::ranges::all_of(*modalities, is_text)) return std::nullopt;
  return refuse::invalid_value("modalities", "this engine answers in text only");
}

std::optional<Refusal> check_capabilities(const Document& document, const Endpoint& endpoint,
                                          const Dialect& dialect) {
  if (auto bad = check_choices(document, endpoint, dialect)) return bad;
  if (auto bad = check_unserved(document)) return bad;
  const bool by_effort = endpoint.reasoning == Reasoning::hidden || endpoint.reasoning == Reasoning::shown;
  if (member(document, "reasoning_effort") != nullptr && !by_effort) {
    return refuse::unsupported("reasoning_effort", "is only accepted by reasoning models");
  }
  if (auto bad = check_thinking(document, endpoint)) return bad;
  return check_extra_params(document);
}

}  // namespace

std::optional<Refusal> check_chat(const Question& question, const LanguageModel& model) {
  const auto& [document, body, endpoint, dialect, seed] = question;
  if (auto bad = check_rules(body, protocol::chat_rules(), question.speaker())) return bad;
  const bool preview = endpoint.era == Era::preview;
  auto rules = dialect.conversation;
  rules.system_first_only |= preview;
  rules.alternates |= preview;
  rules.cache_control |= endpoint.cache_control;
  if (auto bad = check_conversation(*member(document, "messages"), rules)) return bad;
  if (is_known("metadata", question)) {
    if (auto bad = check_metadata(document)) return bad;
  }
  if (auto bad = check_tools(document, nested_spelling)) return bad;
  if (auto bad = check_tool_choice(document, nested_spelling, dialect)) return bad;
  if (auto bad = check_documents(document)) return bad;
  if (auto bad = check_format(document)) return bad;
  if (auto bad = check_bias(document, model, dialect)) return bad;
  if (auto bad = check_ranges(body)) return bad;
  if (auto bad = check_stops(document)) return bad;
  return check_capabilities(document, endpoint, dialect);
}

}  // namespace inferwire::inline v0_1::engine
