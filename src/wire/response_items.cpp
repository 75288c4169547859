#include "inferwire/response_items.hpp"

#include "wire/arguments.hpp"

#include <utility>

namespace inferwire::inline v0_1::responses {

Message system(std::string text) { return {.role = Role::system, .content = std::move(text)}; }
Message user(std::string text) { return {.role = Role::user, .content = std::move(text)}; }
Message user(std::vector<ContentPart> parts) { return {.role = Role::user, .content = std::move(parts)}; }
Message assistant(std::string text) { return {.role = Role::assistant, .content = std::move(text)}; }

FunctionCallOutput function_output(std::string call_id, std::string output) {
  return {.call_id = std::move(call_id), .output = std::move(output)};
}

std::string Message::text() const {
  std::string out;
  if (!content) return out;
  if (const auto* text = std::get_if<std::string>(&*content)) return *text;
  for (const ContentPart& part : std::get<std::vector<ContentPart>>(*content)) {
    if (const auto* said = std::get_if<OutputText>(&part)) out += said->text;
    if (const auto* asked = std::get_if<InputText>(&part)) out += asked->text;
  }
  return out;
}

Result<Json> FunctionCall::parsed_arguments() const { return wire::parsed_arguments(name, arguments); }
bool FunctionCall::is_incomplete() const noexcept { return status == "incomplete"; }
bool CustomToolCall::is_incomplete() const noexcept { return status == "incomplete"; }

bool operator==(const InputText&, const InputText&) = default;
bool operator==(const InputImage&, const InputImage&) = default;
bool operator==(const InputFile&, const InputFile&) = default;
bool operator==(const Annotation&, const Annotation&) = default;
bool operator==(const OutputText&, const OutputText&) = default;
bool operator==(const Refusal&, const Refusal&) = default;
bool operator==(const ReasoningText&, const ReasoningText&) = default;
bool operator==(const Message&, const Message&) = default;
bool operator==(const FunctionCall&, const FunctionCall&) = default;
bool operator==(const FunctionCallOutput&, const FunctionCallOutput&) = default;
bool operator==(const Reasoning&, const Reasoning&) = default;
bool operator==(const CustomToolCall&, const CustomToolCall&) = default;
bool operator==(const CustomToolCallOutput&, const CustomToolCallOutput&) = default;
bool operator==(const ItemReference&, const ItemReference&) = default;

}  // namespace inferwire::inline v0_1::responses

namespace inferwire::inline v0_1 {

template class TextOrList<responses::ContentPart>;
template class TextOrList<responses::ContentPart, Dictionary<Json>>;
template class TextOrList<responses::Item>;

}  // namespace inferwire::inline v0_1
