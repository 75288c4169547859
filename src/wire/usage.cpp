#include "inferwire/usage.hpp"

#include "wire/documents.hpp"
#include "wire/usage_table.hpp"

namespace inferwire::inline v0_1 {
namespace json {

template const Type& describe<Usage>();

}  // namespace json

namespace {

using Count = Optional<std::int64_t>;

Count first(Count a, Count b) noexcept { return a ? a : b; }

/// A count in the first of two details that has it.
template <class Details>
Count in(const Optional<Details>& a, const Optional<Details>& b, Count Details::* count) {
  return first(a ? (*a).*count : Count(), b ? (*b).*count : Count());
}

/// A count that only some servers send.
Count in(const Extra& extra, std::string_view name) {
  const Json* const found = extra.find(name);
  return found != nullptr ? found->as_int() : Count();
}

}  // namespace

Count Usage::prompt() const { return first(prompt_tokens, input_tokens); }

Count Usage::completion() const { return first(completion_tokens, output_tokens); }

Count Usage::total() const {
  if (total_tokens) return total_tokens;
  const Count asked = prompt();
  const Count answered = completion();
  if (!asked || !answered) return {};
  // The counts come from outside: their sum may overflow.
  const bool plausible = *asked >= 0 && *answered >= 0 && *asked <= INT64_MAX - *answered;
  return plausible ? Count(*asked + *answered) : Count();
}

Count Usage::cached() const {
  const Count detail = in(prompt_tokens_details, input_tokens_details, &PromptTokensDetails::cached_tokens);
  const Count beside =
      first(in(extra, "cached_tokens"), in(extra, "prompt_cache_hit_tokens"));  // Kimi, DeepSeek
  return first(first(detail, cache_read_input_tokens), beside);
}

Count Usage::cache_write() const {
  return first(in(prompt_tokens_details, input_tokens_details, &PromptTokensDetails::cache_write_tokens),
               cache_creation_input_tokens);
}

Count Usage::reasoning() const {
  return first(
      in(completion_tokens_details, output_tokens_details, &CompletionTokensDetails::reasoning_tokens),
      reasoning_tokens);
}

bool operator==(const PromptTokensDetails&, const PromptTokensDetails&) = default;
bool operator==(const CompletionTokensDetails&, const CompletionTokensDetails&) = default;
bool operator==(const Usage&, const Usage&) = default;

}  // namespace inferwire::inline v0_1
