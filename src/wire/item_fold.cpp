#include "wire/item_fold.hpp"

#include "json/codec.hpp"
#include "json/text_at.hpp"
#include "wire/parts_of.hpp"

#include <utility>
#include <vector>

namespace inferwire::inline v0_1::wire {
namespace {

using responses::CustomToolCall;
using responses::FunctionCall;

/// `done`: the element is complete, and its non-empty parts replace what was gathered.
template <class T>
void set_element(Numbered<T>& list, std::int64_t number, const T& value, bool done) {
  T* const element = element_at(list, number, [&value] { return value; });
  if (element == nullptr) return;
  if (done) {
    take_done(*element, value);
  } else {
    *element = value;
  }
}

/// Sets all elements at once, if there are any.
template <class T>
void set_elements(Numbered<T>& list, const std::vector<T>& elements, bool done) {
  if (elements.empty()) return;
  shrink(list, elements.size());
  for (std::int64_t number = 0; const T& element : elements) set_element(list, number++, element, done);
}

template <class Call>
void keep_gathered(responses::Item& item, const responses::Item& before, std::string Call::* text) {
  auto* const call = std::get_if<Call>(&item);
  const auto* const pieces = std::get_if<Call>(&before);
  if (call != nullptr && pieces != nullptr && (call->*text).empty()) call->*text = pieces->*text;
}

template <class Call>
void mark_incomplete(Call& call) {
  call.status = "incomplete";
  call.extra.erase("status");
}

}  // namespace

void take_done(std::string& gathered, const std::string& whole) {
  if (!whole.empty()) gathered = whole;
}

void take_done(responses::ReasoningText& gathered, const responses::ReasoningText& whole) {
  auto text = std::move(gathered.text);
  gathered = whole;
  if (gathered.text.empty()) gathered.text = std::move(text);
}

void take_done(responses::ContentPart& gathered, const responses::ContentPart& whole) {
  using responses::OutputText;
  using responses::Refusal;
  const auto before = std::exchange(gathered, whole);
  if (auto* const text = std::get_if<OutputText>(&gathered)) {
    const auto* const pieces = std::get_if<OutputText>(&before);
    if (pieces == nullptr) return;
    if (text->text.empty()) text->text = pieces->text;
    if (text->annotations.empty()) text->annotations = pieces->annotations;
    if (!text->logprobs || text->logprobs->empty()) text->logprobs = pieces->logprobs;
  } else if (auto* const refusal = std::get_if<Refusal>(&gathered)) {
    const auto* const pieces = std::get_if<Refusal>(&before);
    if (pieces != nullptr && refusal->refusal.empty()) refusal->refusal = pieces->refusal;
  }
}

std::string id_of(const responses::Item& item) {
  return std::visit(
      []<class T>(const T& kind) -> std::string {
        if constexpr (std::is_same_v<T, Unknown>) {
          return json::text_at(kind.json, "/id");
        } else if constexpr (std::is_same_v<T, responses::ItemReference>) {
          return kind.id;
        } else {
          return kind.id.value_or("");
        }
      },
      item);
}

std::string_view call_id_of(const responses::Item& item) noexcept {
  if (const auto* const call = std::get_if<FunctionCall>(&item)) return call->call_id;
  const auto* const custom = std::get_if<CustomToolCall>(&item);
  return custom != nullptr ? std::string_view(custom->call_id) : std::string_view();
}

void ItemFold::set(const responses::Item& whole, bool is_done) {
  const auto before = std::exchange(item, whole);
  done = is_done;
  if (auto name = id_of(whole); !name.empty()) id = std::move(name);
  if (auto* const message = std::get_if<responses::Message>(&item)) {
    const auto* const parts = parts_of(message->content);
    const auto* const text = message->content ? std::get_if<std::string>(&*message->content) : nullptr;
    if (parts != nullptr) set_elements(content, *parts, done);
    if (text != nullptr && !text->empty()) content = {};
  } else if (auto* const thought = std::get_if<responses::Reasoning>(&item)) {
    set_elements(summary, thought->summary, done);
    set_elements(reasoning, thought->content, done);
  } else if (done) {
    keep_gathered(item, before, &FunctionCall::arguments);
    keep_gathered(item, before, &CustomToolCall::input);
  }
}

void ItemFold::set_part(std::int64_t number, const responses::ContentPart& part, bool is_done) {
  set_element(content, number, part, is_done);
}

responses::Item ItemFold::finished(bool complete, bool told) && {
  const bool is_cut = !complete && !done;
  const bool may_go_on = !told && !done && !is_text_done;
  if (auto* const message = std::get_if<responses::Message>(&item)) {
    const bool is_list = parts_of(message->content) != nullptr;
    if (is_list || !content.empty()) message->content = values_of(std::move(content));
  } else if (auto* const thought = std::get_if<responses::Reasoning>(&item)) {
    thought->summary = values_of(std::move(summary));
    thought->content = values_of(std::move(reasoning));
  } else if (auto* const call = std::get_if<FunctionCall>(&item)) {
    if (is_cut || (may_go_on && !json::check(call->arguments))) mark_incomplete(*call);
  } else if (auto* const custom = std::get_if<CustomToolCall>(&item)) {
    if (is_cut || may_go_on) mark_incomplete(*custom);
  }
  return std::move(item);
}

}  // namespace inferwire::inline v0_1::wire
