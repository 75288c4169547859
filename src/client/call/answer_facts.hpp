/// \file
/// Extracts facts about an answer for observers of calls.
#pragma once

#include "inferwire/observer.hpp"
#include "inferwire/response_info.hpp"
#include "inferwire/usage.hpp"

#include <string_view>

namespace inferwire::inline v0_1::client {

inline void note_usage(AnswerFacts& facts, const Usage& usage) {
  if (const auto tokens = usage.prompt()) facts.input_tokens = tokens;
  if (const auto tokens = usage.completion()) facts.output_tokens = tokens;
  if (const auto tokens = usage.cached()) facts.cached_input_tokens = tokens;
  if (const auto tokens = usage.cache_write()) facts.cache_write_input_tokens = tokens;
  if (const auto tokens = usage.reasoning()) facts.reasoning_output_tokens = tokens;
}

/// Takes the facts from a document that may be incomplete: an answer, or one element of a stream.
template <class Document>
void note_identity(AnswerFacts& facts, const Document& document) {
  if constexpr (requires { document.id, document.model, document.usage; }) {
    if (facts.id.empty()) facts.id = document.id;
    if (facts.model.empty()) facts.model = document.model;
    if (document.usage) note_usage(facts, *document.usage);
  }
}

/// Takes the facts from a whole answer.
template <class Document>
void note_facts(AnswerFacts& facts, const Document& document) {
  note_identity(facts, document);
  if constexpr (requires { document.choices; }) {
    for (const auto& choice : document.choices) {
      facts.finish_reasons.push_back(choice.finish_reason ? choice.finish_reason->str() : std::string());
    }
    while (!facts.finish_reasons.empty() && facts.finish_reasons.back().empty())
      facts.finish_reasons.pop_back();
  }
  // A response has one finish reason for all of its output: its status, or why it is incomplete.
  if constexpr (requires { document.status, document.incomplete_details; }) {
    if (document.status && !document.status->empty()) facts.finish_reasons = {document.status->str()};
    if (document.incomplete_details && !document.incomplete_details->reason.empty()) {
      facts.finish_reasons = {document.incomplete_details->reason};
    }
  }
}

/// Takes the facts from a raw document, well-formed JSON: its members `id`, `model` and `usage`, or those of
/// its member `response`, as events of the Responses API have them. No finish reasons.
void note_json(AnswerFacts& facts, std::string_view document);

/// Takes the facts from a raw answer, if it is JSON.
void note_facts(AnswerFacts& facts, const RawResponse& answer);

}  // namespace inferwire::inline v0_1::client
