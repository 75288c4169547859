#include "wire/content_fold.hpp"

#include "wire/fold.hpp"
#include "wire/thinking_part.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace inferwire::inline v0_1::wire {
namespace {

using chat::ReasoningPart;
using chat::ReasoningSummary;
using chat::RefusalPart;
using chat::TextPart;

using Parts = std::vector<chat::ContentPart>;

/// The position of a piece of content in its delta.
enum class Place : std::uint8_t {
  first,   ///< the first of its delta: continues the last part if that has the same kind
  behind,  ///< a later one of the same delta: a part of its own
};

template <class Part>
Part& new_part(Parts& parts) {
  return std::get<Part>(parts.emplace_back(Part{}));
}

/// The part that a piece continues, or else a new one.
template <class Part>
Part& part_for(Parts& parts, Place place) {
  if (place == Place::first && !parts.empty()) {
    if (auto* part = std::get_if<Part>(&parts.back())) return *part;
  }
  return new_part<Part>(parts);
}

/// These functions return whether the piece holds anything.
bool fold_text(Parts& parts, const TextPart& piece, Place place) {
  const bool says_nothing = piece.text.empty() && !piece.citations && piece.extra.empty();
  if (says_nothing) return false;
  auto& part = part_for<TextPart>(parts, place);
  part.text += piece.text;
  if (piece.citations) fold_list(part.citations, *piece.citations);
  if (piece.cache_control) part.cache_control = piece.cache_control;
  fold_extra(part.extra, piece.extra);
  return true;
}

bool is_signed(const ReasoningSummary& summary) { return summary.signature && !summary.signature->empty(); }

void fold_summary(std::vector<ReasoningSummary>& summaries, const ReasoningSummary& piece, Place place) {
  const bool goes_on = place == Place::first && !summaries.empty() && summaries.back().type == piece.type &&
                       !piece.data && !summaries.back().data;
  if (!goes_on) {
    summaries.push_back(piece);
    if (!is_signed(summaries.back())) summaries.back().signature.reset();
    return;
  }
  ReasoningSummary& summary = summaries.back();
  append(summary.text, piece.text);
  if (is_signed(piece)) {
    if (!is_signed(summary)) summary.signature.emplace();
    if (*summary.signature != *piece.signature) *summary.signature += *piece.signature;
  }
  fold_extra(summary.extra, piece.extra);
  if (summary.text) summary.extra.erase("text");
  if (summary.signature) summary.extra.erase("signature");
}

/// A reasoning block consists of pieces of text, then its signature with empty text. Text after a signature
/// begins the next block.
bool fold_reasoning_part(Parts& parts, const ReasoningPart& piece, Place place) {
  if (piece.summary.empty() && piece.extra.empty()) return false;
  auto* part = &part_for<ReasoningPart>(parts, place);
  if (!piece.summary.empty()) {
    const auto& text = piece.summary.front().text;
    const bool ended = !part->summary.empty() && is_signed(part->summary.back());
    if (ended && text && !text->empty()) part = &new_part<ReasoningPart>(parts);
  }
  for (Place at = place; const ReasoningSummary& summary : piece.summary) {
    fold_summary(part->summary, summary, std::exchange(at, Place::behind));
  }
  fold_extra(part->extra, piece.extra);
  return true;
}

bool fold_part(Parts& parts, const chat::ContentPart& piece, Place place) {
  if (const auto* text = std::get_if<TextPart>(&piece)) return fold_text(parts, *text, place);
  if (const auto* reasoning = std::get_if<ReasoningPart>(&piece)) {
    return fold_reasoning_part(parts, *reasoning, place);
  }
  if (const auto* refusal = std::get_if<RefusalPart>(&piece)) {
    if (refusal->refusal.empty()) return false;
    part_for<RefusalPart>(parts, place).refusal += refusal->refusal;
    return true;
  }
  if (!fold_thinking(parts, piece, place == Place::first)) parts.push_back(piece);
  return true;
}

}  // namespace

void fold_content(Optional<chat::Content>& content, const chat::Content& piece) {
  const auto* text = std::get_if<std::string>(&piece);
  if (!content) {
    if (text != nullptr) {
      content = *text;
      return;
    }
    content = Parts{};
  }
  if (auto* whole = std::get_if<std::string>(&*content)) {
    if (text != nullptr) {
      *whole += *text;
      return;
    }
    const auto& pieces = std::get<Parts>(piece);
    if (pieces.empty()) return;
    Parts parts;
    if (!whole->empty()) parts.emplace_back(TextPart{.text = std::move(*whole)});
    content = std::move(parts);
  }
  auto& parts = std::get<Parts>(*content);
  if (text != nullptr) {
    if (!text->empty()) part_for<TextPart>(parts, Place::first).text += *text;
    return;
  }
  for (Place at = Place::first; const chat::ContentPart& part : std::get<Parts>(piece)) {
    if (fold_part(parts, part, at)) at = Place::behind;
  }
}

}  // namespace inferwire::inline v0_1::wire
