#include "inferwire/completions.hpp"

#include "wire/documents.hpp"
#include "wire/first_choice.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace inferwire::inline v0_1::completions {
namespace {

using wire::first_choice;

/// Whether choices are numbered by their prompt, as in Databricks' documentation: only then can numbers
/// repeat.
bool numbered_by_prompt(const std::vector<Choice>& choices) {
  const auto not_after = [](const Choice& a, const Choice& b) { return a.index >= b.index; };
  const bool in_order = std::ranges::adjacent_find(choices, not_after) == choices.end();
  if (in_order) return false;
  std::vector<std::int64_t> numbers(choices.size());
  std::ranges::transform(choices, numbers.begin(), &Choice::index);
  std::ranges::sort(numbers);
  return std::ranges::adjacent_find(numbers) != numbers.end();
}

std::int64_t choices_a_prompt(const Request& request) noexcept {
  return std::max<std::int64_t>(request.n.value_or(1), 1);
}

/// See Response::prompt_index.
Optional<std::size_t> prompt_of(const std::vector<Choice>& choices, std::size_t position, bool by_prompt,
                                const Request& request) noexcept {
  if (position >= choices.size() || choices[position].index < 0) return std::nullopt;
  const auto index = choices[position].index;
  const auto prompt = by_prompt ? index : index / choices_a_prompt(request);
  if (std::cmp_greater_equal(prompt, request.prompts())) return std::nullopt;
  return static_cast<std::size_t>(prompt);
}

}  // namespace

std::size_t Request::prompts() const noexcept {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&prompt)) return texts->size();
  if (const auto* tokens = std::get_if<std::vector<std::vector<std::int64_t>>>(&prompt))
    return tokens->size();
  return 1;
}

std::int64_t Request::choices() const noexcept {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  const auto each = choices_a_prompt(*this);
  const auto count = static_cast<std::int64_t>(prompts());
  return count > most / each ? most : count * each;
}

Finish Choice::finish() const noexcept {
  return finish_reason ? finish_of(*finish_reason, false) : Finish::none;
}

std::string Response::text() const {
  const Choice* const choice = first_choice(choices);
  return choice != nullptr ? choice->text : std::string();
}

Finish Response::finish() const noexcept {
  const Choice* const choice = first_choice(choices);
  return choice != nullptr ? choice->finish() : Finish::none;
}

Optional<std::size_t> Response::prompt_index(const Request& request, std::size_t position) const noexcept {
  return prompt_of(choices, position, numbered_by_prompt(choices), request);
}

Optional<std::size_t> Response::choice_index(const Request& request, std::size_t position) const noexcept {
  const bool by_prompt = numbered_by_prompt(choices);
  if (!prompt_of(choices, position, by_prompt, request)) return std::nullopt;
  const auto index = choices[position].index;
  if (!by_prompt) return static_cast<std::size_t>(index % choices_a_prompt(request));
  return static_cast<std::size_t>(
      std::ranges::count(std::span(choices).first(position), index, &Choice::index));
}

std::string Chunk::text() const {
  const Choice* const choice = first_choice(choices);
  return choice != nullptr && choice->index == 0 ? choice->text : std::string();
}

Result<Json> to_json(const Request& request) { return wire::encoded(request); }
Result<Json> to_json(const Response& response) { return wire::encoded(response); }
Result<Json> to_json(const Chunk& chunk) { return wire::encoded(chunk); }

bool operator==(const Request&, const Request&) = default;
bool operator==(const Logprobs&, const Logprobs&) = default;
bool operator==(const Choice&, const Choice&) = default;
bool operator==(const Response&, const Response&) = default;
bool operator==(const Chunk&, const Chunk&) = default;

}  // namespace inferwire::inline v0_1::completions

namespace inferwire::inline v0_1 {

INFERWIRE_FROM_JSON(completions::Request, strict)
INFERWIRE_FROM_JSON(completions::Response, tolerant)
INFERWIRE_FROM_JSON(completions::Chunk, tolerant)

}  // namespace inferwire::inline v0_1
