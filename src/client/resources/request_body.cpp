#include "client/resources/request_body.hpp"

namespace inferwire::inline v0_1::client {

namespace {

/// Whether a member besides `n` determines how many choices there are: in vLLM, as other prompts, or, without
/// a name, as another body.
bool determines_choices(std::string_view name, bool of_prompts) noexcept {
  if (name.empty() || name == "num_return_sequences") return true;
  return of_prompts && (name == "prompt" || name == "prompt_embeds");
}

/// The member of the body that an edit changes, or changes something in; empty for the whole body.
std::string_view changed_by(const BodyEdit& edit) {
  const std::string_view pointer = edit.pointer;
  return pointer.starts_with('/') ? pointer.substr(1, pointer.find('/', 1) - 1) : "";
}

}  // namespace

std::optional<std::int64_t> choices_a_prompt(std::optional<std::int64_t> n, bool of_prompts,
                                             const Extra& extra, std::span<const BodyEdit> edits) {
  for (const auto& [name, value] : extra) {
    if (determines_choices(name, of_prompts)) return std::nullopt;
    if (name == "n") n = value.as_int().value_or(0);
  }
  for (const BodyEdit& edit : edits) {
    const auto name = changed_by(edit);
    if (determines_choices(name, of_prompts)) return std::nullopt;
    if (name == "n") n = edit.kind == BodyEdit::Kind::remove ? 1 : edit.value.as_int().value_or(0);
  }
  const auto choices = n.value_or(1);
  return choices > 0 && ChoiceTracker::is_index(choices) ? std::optional(choices) : std::nullopt;
}

}  // namespace inferwire::inline v0_1::client
