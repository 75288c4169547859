/// \file
/// The operations of chunks: elements of a stream that add to choices, each with an index and a finish
/// reason.
#pragma once

#include "client/call/answer_facts.hpp"
#include "client/stream/element.hpp"
#include "inferwire/finish.hpp"
#include "wire/first_choice.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::client {

template <class Chunk>
bool decode_chunk(json::Decoder& decoder, std::string_view text, std::string_view, void* element,
                  Error& error) {
  return decoder.decode(text, *static_cast<Chunk*>(element), json::Reading::tolerant, error);
}

/// The error in a chunk. A chunk with choices is an answer, even if it has error codes. OpenRouter may put
/// its error into the choice that it ends.
template <class Chunk>
std::optional<wire::ErrorFacts> error_in_chunk(const void* element) {
  const auto& chunk = *static_cast<const Chunk*>(element);
  if (auto facts = wire::error_in(chunk.extra, !chunk.choices.empty())) return facts;
  const auto* const choice = wire::first_choice(chunk.choices);
  const bool failed = choice != nullptr && choice->finish_reason == FinishReason::error;
  return failed ? wire::error_in(choice->extra, true) : std::nullopt;
}

/// TGI and Foundry Local count the pieces of an answer as if each were a choice; gateways begin at 1. None
/// goes back to an earlier index, as choices do that come in turns.
template <class Chunk>
void track_chunk(void* element, ChoiceTracker& choices) {
  auto& pieces = static_cast<Chunk*>(element)->choices;
  if (pieces.size() == 1 && choices.is_the_one(pieces.front().index)) pieces.front().index = 0;
  for (const auto& choice : pieces) {
    choices.started(choice.index);
    if (choice.finish_reason && !choice.finish_reason->empty()) choices.finished(choice.index);
  }
}

/// Each finish reason is noted at the place of its choice.
template <class Chunk>
void note_chunk(const void* element, AnswerFacts& facts) {
  const auto& chunk = *static_cast<const Chunk*>(element);
  note_identity(facts, chunk);
  for (const auto& choice : chunk.choices) {
    if (!choice.finish_reason || choice.finish_reason->empty()) continue;
    if (!ChoiceTracker::is_index(choice.index)) continue;
    const auto place = static_cast<std::size_t>(choice.index);
    if (place >= facts.finish_reasons.size()) facts.finish_reasons.resize(place + 1);
    facts.finish_reasons[place] = choice.finish_reason->str();
  }
}

template <class Chunk>
bool answers(const void* element) {
  const auto& chunk = *static_cast<const Chunk*>(element);
  return !chunk.choices.empty() || chunk.usage;
}

/// Numbers choices from 0 on if two have the same index: those with a smaller one first, and others by their
/// position. Choices that are numbered by their prompts, each of which has as many, get the indices that
/// other servers give them.
[[gnu::cold]] inline void number_apart(std::vector<std::int64_t*> indices) {
  const auto value = [](const std::int64_t* index) { return *index; };
  std::ranges::sort(indices, {}, [](std::int64_t* index) { return std::pair(*index, index); });
  if (std::ranges::adjacent_find(indices, {}, value) == indices.end()) return;
  for (std::int64_t number = 0; std::int64_t* const index : indices) *index = number++;
}
template <class Choice>
void number_apart(std::vector<Choice>& choices) {
  std::vector<std::int64_t*> indices;
  for (Choice& choice : choices) indices.push_back(&choice.index);
  number_apart(std::move(indices));
}

/// Numbers the choices of a whole answer by position if all have the same index. Others stay as they are,
/// even if some repeat: completions may be numbered by their prompts (see completions::Response).
template <class Choice>
void number_if_alike(std::vector<Choice>& choices) {
  if (choices.size() < 2) return;
  const auto is_like_first = [&](const Choice& choice) { return choice.index == choices.front().index; };
  if (std::ranges::all_of(choices, is_like_first)) number_apart(choices);
}

/// The operations for decoding chunks of a stream and making one from a whole answer; see ElementOps.
template <class Chunk>
constexpr ElementOps chunk_ops(decltype(ElementOps::decode) decode,
                               decltype(ElementOps::decode_whole) decode_whole,
                               decltype(ElementOps::is_whole) is_whole = nullptr) {
  return {.decode = decode,
          .decode_whole = decode_whole,
          .error_in = &error_in_chunk<Chunk>,
          .track = &track_chunk<Chunk>,
          .note = &note_chunk<Chunk>,
          .answers = &answers<Chunk>,
          .is_whole = is_whole};
}

}  // namespace inferwire::inline v0_1::client
