#include "engine/handlers/response_item.hpp"

#include "inferwire/data_uri.hpp"

namespace inferwire::inline v0_1::engine {
namespace {

using Status = ItemDraft::Status;

const char* name_of(Status status) {
  switch (status) {
    case Status::in_progress: return "in_progress";
    case Status::completed: return "completed";
    case Status::incomplete: break;
  }
  return "incomplete";
}

responses::Reasoning reasoning_of(const ItemDraft& draft) {
  responses::Reasoning reasoning{.id = draft.id};
  if (draft.status == Status::in_progress) return reasoning;
  if (draft.shows_summary) reasoning.summary.push_back({.text = draft.text});
  if (draft.encrypts) reasoning.encrypted_content = to_base64(draft.text);
  return reasoning;
}

}  // namespace

responses::OutputText text_part_of(const ItemDraft& draft) {
  responses::OutputText part{.text = draft.text, .logprobs = draft.logprobs};
  part.extra.append("annotations", Json::raw("[]"));
  return part;
}

responses::Item item_of(const ItemDraft& draft) {
  const bool is_written = draft.status != Status::in_progress;
  switch (draft.kind) {
    case Part::Kind::reasoning: return reasoning_of(draft);
    case Part::Kind::call:
      return responses::FunctionCall{.id = draft.id,
                                     .call_id = draft.call_id,
                                     .name = draft.function,
                                     .arguments = is_written ? draft.text : "",
                                     .status = name_of(draft.status)};
    case Part::Kind::content:  // only chats have it
    case Part::Kind::text: break;
  }
  std::vector<responses::ContentPart> parts;
  if (is_written) parts.emplace_back(text_part_of(draft));
  return responses::Message{.id = draft.id,
                            .type = "message",
                            .role = Role::assistant,
                            .content = std::move(parts),
                            .status = name_of(draft.status)};
}

}  // namespace inferwire::inline v0_1::engine
