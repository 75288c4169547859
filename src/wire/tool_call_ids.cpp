#include "wire/tool_call_ids.hpp"

#include "base/fnv1a.hpp"
#include "json/scanner.hpp"
#include "wire/lenient_json.hpp"
#include "wire/remarks.hpp"

#include <algorithm>
#include <string_view>

namespace inferwire::inline v0_1::wire {
namespace {

/// "call_" and 24 letters and digits that depend only on the arguments.
std::string made_id(std::string_view seed, std::size_t place, const chat::ToolCall& call) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  Fnv1a hash(Fnv1a::basis + place);
  hash.add(seed);
  if (call.function) {
    hash.add(call.function->name);
    hash.add(call.function->arguments);
  } else if (call.custom) {
    hash.add(call.custom->name);
    hash.add(call.custom->input);
  }
  std::uint64_t state = hash.value();  // of splitmix64
  std::string id = "call_";
  for (int i = 0; i < 24; ++i) {
    state += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = (state ^ (state >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    id += letters[static_cast<std::size_t>((mixed ^ (mixed >> 31U)) % letters.size())];
  }
  return id;
}

/// Whether unknown members hold something besides what numbers a call.
bool has_content(const Extra& extra) {
  return std::ranges::any_of(extra, [](const Member& member) {
    const bool numbers = member.name == "index" || member.name == "id" || json::is_remark(member);
    return !numbers && says_something(member.value.text());
  });
}

}  // namespace

void give_id(chat::ToolCall& call, std::string_view seed, std::size_t place) {
  if (!call.id.empty()) return;
  call.id = made_id(seed, place, call);
  call.extra.erase("id");  // a value that is not a valid id, such as an object
  set_remark(call.extra, generated_id_remark);
}

bool calls_nothing(const chat::ToolCall& call) {
  // Types that this library does not know may say elsewhere what they call.
  if (!call.type.empty() && call.type != "function" && call.type != "custom") return false;
  const auto& function = call.function;
  if (function && !(function->name.empty() && json::trim(function->arguments).empty())) return false;
  if (call.custom && !(call.custom->name.empty() && call.custom->input.empty())) return false;
  // Some servers write the function beside the id (Cloudflare), or what must be sent back (Gemini).
  return !has_content(call.extra) && !(function && has_content(function->extra)) &&
         !(call.custom && has_content(call.custom->extra));
}

bool is_cut(Finish finish) noexcept {
  return finish == Finish::length || finish == Finish::content_filter || finish == Finish::error;
}

void mark_cut_calls(chat::Choice& choice) {
  if (!is_cut(choice.finish())) return;
  for (chat::ToolCall& call : choice.message.tool_calls) set_remark(call.extra, incomplete_remark);
}

void complete_calls(chat::Response& response) {
  for (chat::Choice& choice : response.choices) {
    auto& calls = choice.message.tool_calls;
    if (calls.empty()) continue;
    const std::string seed = id_seed(response, choice.index);
    for (std::size_t place = 0; chat::ToolCall& call : calls) give_id(call, seed, place++);
    std::erase_if(calls, calls_nothing);
    mark_cut_calls(choice);
  }
}

void give_another_id(chat::ToolCall& call) { call.id = made_id(call.id, 0, call); }

std::string id_seed(const chat::Response& head, std::int64_t choice) {
  return head.id + "/" + std::to_string(head.created.value_or(0)) + "/" + std::to_string(choice);
}

}  // namespace inferwire::inline v0_1::wire
