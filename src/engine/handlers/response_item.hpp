/// \file
/// An item of a response while it is being written.
#pragma once

#include "engine/answer/choice.hpp"
#include "inferwire/response_items.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::engine {

struct ItemDraft {
  enum class Status : std::uint8_t { in_progress, completed, incomplete };

  Part::Kind kind{};
  std::string id{};
  std::string call_id{};   ///< only a call has one
  std::string function{};  ///< only a call has one
  bool shows_summary{};    ///< only for reasoning
  bool encrypts{};         ///< only for reasoning: adds `encrypted_content`, so that it can be sent back
  std::string text{};      ///< written so far: text, thought or arguments
  std::vector<TokenLogprob> logprobs{};
  Status status{};
};

/// The text part of a message so far.
responses::OutputText text_part_of(const ItemDraft& draft);

/// The item in its current state: empty while it is in progress.
responses::Item item_of(const ItemDraft& draft);

}  // namespace inferwire::inline v0_1::engine
