#include "wire/tool_call_fold.hpp"

#include "json/codec.hpp"
#include "json/scanner.hpp"
#include "wire/documents.hpp"
#include "wire/fold.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::wire {
namespace {

constexpr std::size_t most_calls = 1024;

bool given(const Optional<std::string>& text) noexcept { return text && !text->empty(); }

std::string_view name_in(const chat::ToolCallDelta& piece) noexcept {
  if (piece.function && piece.function->name) return *piece.function->name;
  if (piece.custom && piece.custom->name) return *piece.custom->name;
  return {};
}

std::string_view name_in(const chat::ToolCall& call) noexcept {
  if (call.function) return call.function->name;
  return call.custom ? std::string_view(call.custom->name) : std::string_view();
}

/// White space may follow complete arguments: it does not begin a call.
bool brings_blanks(const chat::ToolCallDelta& piece) noexcept {
  return piece.function && given(piece.function->arguments) && json::trim(*piece.function->arguments).empty();
}

bool brings_arguments(const chat::ToolCallDelta& piece) noexcept {
  return piece.function && given(piece.function->arguments) && !brings_blanks(piece);
}

}  // namespace

void add_name(std::string& name, const Optional<std::string>& piece) {
  if (!given(piece)) return;
  if (piece->starts_with(name)) {
    name = *piece;
  } else {
    name += *piece;
  }
}

/// Whether the arguments are an object or a list that has been closed: no piece can follow.
bool ToolCallFold::Open::has_closed_arguments() {
  return call.function && arguments_end.is_reached(call.function->arguments);
}

/// Whether a piece under the call's index or id begins another call: it has a name, and
/// - another id;
/// - or behind closed arguments another name, or, if no ids tell, arguments;
/// - or behind open ones of a call without an id another name, if the last piece had none that it may
/// continue.
bool ToolCallFold::Open::is_ended_by(const chat::ToolCallDelta& piece) {
  const std::string_view name = name_in(piece);
  if (name.empty()) return false;
  const bool ids_tell = given(piece.id) && !call.id.empty();
  if (ids_tell && *piece.id != call.id) return true;
  const std::string_view own = name_in(call);
  if (!own.empty() && name != own && has_closed_arguments()) return true;
  if (name.starts_with(own)) return !ids_tell && brings_arguments(piece) && has_closed_arguments();
  return call.id.empty() && !had_name;
}

/// Notes that a piece of the arguments, which is not blank, follows. Behind an empty object no text is JSON.
void ToolCallFold::Open::begin_arguments(std::string_view piece) {
  std::string& arguments = call.function->arguments;
  if (json::trim(piece).starts_with('{') && json::trim(arguments) == "{}") {
    arguments.clear();
    arguments_end = {};
    last_piece = 0;
  }
  const auto before = json::trim(std::string_view(arguments).substr(last_piece));
  if (!before.empty()) (piece.starts_with(before) ? repeats : differs) = true;
  last_piece = arguments.size();
}

/// Drops what the last piece of the arguments repeats, once all pieces are there. Followed by an object that
/// begins like it, no text is JSON.
void ToolCallFold::Open::drop_repeated_arguments() {
  if (!call.function || last_piece == 0) return;
  std::string& arguments = call.function->arguments;
  const auto before = json::trim(std::string_view(arguments).substr(0, last_piece));
  const auto last = json::trim(std::string_view(arguments).substr(last_piece));
  const bool repeated = !before.empty() && (grows() || last.starts_with(before));
  if (repeated && last.starts_with('{') && json::check(last)) {
    arguments.erase(0, last_piece);
    arguments_end = {};
  }
  last_piece = 0;
  repeats = false;
}

ToolCallFold::Open* ToolCallFold::begin(const chat::ToolCallDelta& piece) {
  if (calls_.size() == most_calls) return nullptr;
  calls_.emplace_back().index = piece.index;
  return &calls_.back();
}

/// The latest call, if the piece continues it under an index that no call has: without id and name, and while
/// the call's arguments are open.
ToolCallFold::Open* ToolCallFold::continued(const chat::ToolCallDelta& piece) {
  if (calls_.empty() || calls_.size() == most_calls) return nullptr;
  if (given(piece.id) || !name_in(piece).empty()) return nullptr;
  Open& last = calls_.back();
  if (piece.function && piece.function->arguments) {
    return last.call.function && !last.has_closed_arguments() ? &last : nullptr;
  }
  return piece.custom && piece.custom->input && last.call.custom ? &last : nullptr;
}

/// The first call without an index that the piece may continue; it takes the piece's index.
ToolCallFold::Open* ToolCallFold::number(const chat::ToolCallDelta& piece) {
  const auto goes_on = [&piece](const Open& open) {
    return !open.index && (given(piece.id) ? *piece.id == open.call.id : name_in(piece).empty());
  };
  const auto found = std::find_if(calls_.begin(), calls_.end(), goes_on);
  if (found == calls_.end()) return nullptr;
  found->index = piece.index;
  return &*found;
}

ToolCallFold::Open* ToolCallFold::find(const chat::ToolCallDelta& piece, Optional<std::size_t> place) {
  const auto latest = [this](auto&& matches) -> Open* {
    const auto found = std::find_if(calls_.rbegin(), calls_.rend(), matches);
    return found == calls_.rend() ? nullptr : &*found;
  };
  if (piece.index) {
    Open* const same = latest([&](const Open& open) { return open.index == piece.index; });
    if (same != nullptr) return same->is_ended_by(piece) ? begin(piece) : same;
    if (Open* const numbered = number(piece)) return numbered;
    Open* const last = continued(piece);
    return last != nullptr ? last : begin(piece);
  }
  if (calls_.empty()) return begin(piece);
  Open& last = calls_.back();
  const std::string_view name = name_in(piece);
  if (given(piece.id)) {
    Open* const same = latest([&](const Open& open) { return open.call.id == *piece.id; });
    if (same != nullptr) return same->is_ended_by(piece) ? begin(piece) : same;
    return name.empty() ? &last : begin(piece);
  }
  if (name.empty()) return place && *place < calls_.size() ? &calls_[*place] : &last;
  // There is neither index nor id: a name begins the next call if the latest call already has its own name
  // and complete arguments.
  const std::string_view own = name_in(last.call);
  const bool next = !own.empty() && (name != own || (!brings_blanks(piece) && last.has_closed_arguments()));
  return next ? begin(piece) : &last;
}

void ToolCallFold::add(const std::vector<chat::ToolCallDelta>& pieces) {
  for (std::size_t place = 0; const chat::ToolCallDelta& piece : pieces) {
    add(piece, pieces.size() > 1 ? Optional<std::size_t>(place) : std::nullopt);
    ++place;
  }
}

void ToolCallFold::add(const chat::ToolCallDelta& piece, Optional<std::size_t> place) {
  Open* const open = find(piece, place);
  if (open == nullptr) return;
  chat::ToolCall& call = open->call;
  open->had_name = !name_in(piece).empty();
  if (given(piece.id) && call.id.empty()) call.id = *piece.id;
  if (given(piece.type)) call.type = *piece.type;
  if (piece.function) {
    if (!call.function) call.function.emplace();
    add_name(call.function->name, piece.function->name);
    if (given(piece.function->arguments)) {
      if (!brings_blanks(piece)) open->begin_arguments(*piece.function->arguments);
      call.function->arguments += *piece.function->arguments;
    }
    fold_extra(call.function->extra, piece.function->extra);
  }
  if (piece.custom) {
    if (!call.custom) call.custom.emplace();
    add_name(call.custom->name, piece.custom->name);
    call.custom->input += piece.custom->input.value_or("");
    fold_extra(call.custom->extra, piece.custom->extra);
  }
  fold_extra(call.extra, piece.extra, json::describe<chat::ToolCall>());
}

void ToolCallFold::drop_repeated_arguments() {
  for (Open& open : calls_) open.drop_repeated_arguments();
}

/// Whether the call is left out: it calls nothing, or another call contains everything that this one does.
bool ToolCallFold::is_dropped(std::size_t place) const {
  const chat::ToolCall& call = calls_[place].call;
  if (calls_nothing(call)) return true;
  if (call.id.empty()) return false;
  const bool has_arguments = call.function && !call.function->arguments.empty();
  for (std::size_t other = 0; other < calls_.size(); ++other) {
    const chat::ToolCall& candidate = calls_[other].call;
    if (other == place || candidate.id != call.id || name_in(candidate) != name_in(call)) continue;
    const bool same = candidate.function == call.function && candidate.custom == call.custom;
    const bool says_more = !has_arguments && candidate.function && !candidate.function->arguments.empty();
    if (same ? other < place : says_more) return true;
  }
  return false;
}

std::vector<chat::ToolCall> ToolCallFold::give(const std::string& seed, bool ended) {
  if (ended) drop_repeated_arguments();
  std::vector<chat::ToolCall> out;
  for (; given_ < calls_.size(); ++given_) {
    Open& open = calls_[given_];
    const bool followed = given_ + 1 < calls_.size();
    if (!ended && !(followed && !open.grows() && open.has_closed_arguments())) break;
    if (is_dropped(given_)) continue;
    chat::ToolCall& call = open.call;
    give_id(call, seed, given_);  // stored in place, so that `take` gives the same id
    out.push_back(call);
  }
  return out;
}

std::vector<chat::ToolCall> ToolCallFold::take(const std::string& seed, bool cut) && {
  if (!cut) drop_repeated_arguments();
  std::vector<std::size_t> kept;
  for (std::size_t place = 0; place < calls_.size(); ++place) {
    if (!is_dropped(place)) kept.push_back(place);
  }
  std::vector<chat::ToolCall> out;
  out.reserve(kept.size());
  for (const std::size_t place : kept) {
    out.push_back(std::move(calls_[place].call));
    give_id(out.back(), seed, place);
  }
  return out;
}

}  // namespace inferwire::inline v0_1::wire
