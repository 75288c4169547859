#include "wire/fold.hpp"

#include "json/scanner.hpp"
#include "wire/documents.hpp"

namespace inferwire::inline v0_1::wire {
namespace {

void keep_last(Optional<std::int64_t>& kept, const Optional<std::int64_t>& value) {
  if (value) kept = value;
}

constexpr std::size_t most_names = 256;

template <class Wanted>
void fold_members(Extra& kept, const Extra& extra, const Wanted& wanted) {
  std::size_t refused = 0;
  for (const Member& member : extra) {
    if (!wanted(member)) continue;
    if (has_room(kept, member.name)) {
      kept.set(member.name, member.value);
    } else if (++refused > most_names) {
      return;
    }
  }
}

/// What stands between the brackets of a list; nothing when it is no list.
Optional<std::string_view> elements_of(const Json& value) {
  const auto text = json::trim(value.text());
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  return json::trim(text.substr(1, text.size() - 2));
}

}  // namespace

bool has_room(const Extra& kept, const std::string& name) noexcept {
  return kept.size() < most_names || (kept.size() == most_names && kept.find(name) != nullptr);
}

void fold_extra(Extra& kept, const Extra& extra) {
  fold_members(kept, extra, [](const Member&) { return true; });
}

void fold_extra(Extra& kept, const Extra& extra, const json::Type& owner) {
  fold_members(kept, extra, [&owner](const Member& member) {
    return !member.value.is_null() && !json::has_member(owner, member.name);
  });
}

void fold_list(Optional<Json>& kept, const Json& piece) {
  if (kept == piece) return;
  const auto more = elements_of(piece);
  const auto before = kept ? elements_of(*kept) : Optional<std::string_view>();
  if (more && more->empty() && kept) return;
  if (!more || !before || before->empty()) {
    kept = piece;
    return;
  }
  auto list = std::move(*kept).text();
  list.erase(list.rfind(']'));
  list += ',';
  list += *more;
  list += ']';
  kept = Json::raw(std::move(list));
}

void fold_usage(Optional<Usage>& kept, const Optional<Usage>& usage) {
  if (!usage) return;
  if (!kept) {
    kept = usage;
    return;
  }
  keep_last(kept->prompt_tokens, usage->prompt_tokens);
  keep_last(kept->completion_tokens, usage->completion_tokens);
  keep_last(kept->total_tokens, usage->total_tokens);
  keep_last(kept->reasoning_tokens, usage->reasoning_tokens);
  keep_last(kept->input_tokens, usage->input_tokens);
  keep_last(kept->output_tokens, usage->output_tokens);
  keep_last(kept->cache_read_input_tokens, usage->cache_read_input_tokens);
  keep_last(kept->cache_creation_input_tokens, usage->cache_creation_input_tokens);
  const auto prompt_details = [](auto& to, const auto& from) {
    if (!from) return;
    if (!to) to.emplace();
    keep_last(to->cached_tokens, from->cached_tokens);
    keep_last(to->audio_tokens, from->audio_tokens);
    keep_last(to->cache_write_tokens, from->cache_write_tokens);
    fold_extra(to->extra, from->extra);
  };
  const auto completion_details = [](auto& to, const auto& from) {
    if (!from) return;
    if (!to) to.emplace();
    keep_last(to->reasoning_tokens, from->reasoning_tokens);
    keep_last(to->audio_tokens, from->audio_tokens);
    keep_last(to->accepted_prediction_tokens, from->accepted_prediction_tokens);
    keep_last(to->rejected_prediction_tokens, from->rejected_prediction_tokens);
    fold_extra(to->extra, from->extra);
  };
  prompt_details(kept->prompt_tokens_details, usage->prompt_tokens_details);
  prompt_details(kept->input_tokens_details, usage->input_tokens_details);
  completion_details(kept->completion_tokens_details, usage->completion_tokens_details);
  completion_details(kept->output_tokens_details, usage->output_tokens_details);
  fold_extra(kept->extra, usage->extra, json::describe<Usage>());
}

}  // namespace inferwire::inline v0_1::wire
