#include "engine/plan/responses_request.hpp"

#include "engine/plan/prompt_template.hpp"
#include "engine/plan/response_input.hpp"
#include "engine/plan/responses_check.hpp"
#include "engine/plan/rule_check.hpp"
#include "wire/documents.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace inferwire::inline v0_1::engine {
namespace {

bool is_under_way(const responses::Response& response) {
  return response.status == responses::ResponseStatus::queued ||
         response.status == responses::ResponseStatus::in_progress;
}

/// The conversation up to the response that the request names, which must have ended.
OrRefusal<KeptResponse> before(const Document& document, const Memory& memory) {
  const auto* id = member(document, "previous_response_id");
  if (id == nullptr) return KeptResponse();
  const auto found = memory.keeper->find(text(id));
  if (!found) return refuse::no_previous_response(text(id));
  auto response = found->as_it_stands();
  if (is_under_way(response)) {
    return refuse::invalid_value("previous_response_id", "the response is " + response.status->str());
  }
  KeptResponse earlier{.input = found->input, .bytes = found->bytes};
  for (auto& item : response.output) {
    if (found->background) earlier.bytes += memory_of(item);
    earlier.input.push_back(std::move(item));
  }
  return earlier;
}

/// Whether an item is a reference although it does not say so: OpenAI's schema (ItemReferenceParam) requires
/// only the id.
bool is_bare_reference(const Document& item) {
  const auto present = std::ranges::count_if(item, [](const Document& value) { return !value.is_null(); });
  return member(item, "id") != nullptr && present == 1;
}

/// The text of the document with the `type` of such items; empty if it has none.
std::string with_types(const Document& document) {
  const auto* input = member(document, "input");
  if (input == nullptr || !input->is_array() ||
      std::none_of(input->begin(), input->end(), is_bare_reference)) {
    return {};
  }
  auto typed = document;
  for (auto& item : typed["input"]) {
    if (is_bare_reference(item)) item["type"] = std::string(responses::ItemReference::type);
  }
  return print_sorted(typed);
}

/// Turns such items into references: they are read as messages, of which the rules require a role.
void read_bare_references(responses::Request& request) {
  auto* const items = request.input ? std::get_if<Items>(&*request.input) : nullptr;
  if (items == nullptr) return;
  for (auto& item : *items) {
    const auto* const message = std::get_if<responses::Message>(&item);
    if (message == nullptr || !message->role.empty() || !message->id) continue;
    item = responses::ItemReference{.id = std::string(*message->id)};
  }
}

/// Whether the item stands for one that was kept. OpenAI looks up reasoning that comes without its content.
bool stands_for_kept(const responses::Item& item, bool keeps) {
  const auto* const reasoning = std::get_if<responses::Reasoning>(&item);
  if (reasoning == nullptr) return std::holds_alternative<responses::ItemReference>(item);
  return keeps && !id_of(item).empty() && !reasoning->encrypted_content && reasoning->content.empty();
}

/// Replaces references by the kept items; returns the size of these in bytes. No two items may have one id,
/// those of `earlier` included: pages of a list end at the id of their last item. `keeps`: responses are kept
/// unless the request says otherwise.
OrRefusal<std::size_t> resolve_references(responses::Request& request, const Items& earlier,
                                          const KeptResponses& keeper, bool keeps) {
  auto* const items = request.input ? std::get_if<Items>(&*request.input) : nullptr;
  std::size_t bytes = 0;
  if (items == nullptr) return bytes;
  std::set<std::string_view> said;
  for (const auto& item : earlier) said.insert(id_of(item));
  std::map<std::string, responses::Item*, std::less<>> places;
  for (auto& item : *items) {
    const auto id = id_of(item);
    // Repeated references could make a request arbitrarily long.
    if (!id.empty() && !said.insert(id).second) return refuse::duplicate_item(id);
    if (stands_for_kept(item, keeps)) places.emplace(id, &item);
  }
  const auto fill = [&](const responses::Item& item) {
    const auto place = places.find(id_of(item));
    if (place == places.end()) return;
    bytes += memory_of(item);
    *place->second = item;
    places.erase(place);
  };
  if (places.empty()) return bytes;
  const auto all = keeper.all();
  for (auto kept = all.rbegin(); kept != all.rend() && !places.empty(); ++kept) {
    const auto& background = (*kept)->background;
    std::ranges::for_each((*kept)->input, fill);
    if (background) {
      std::ranges::for_each(background->response().output, fill);
    } else {
      std::ranges::for_each((*kept)->response.output, fill);
    }
  }
  std::erase_if(places, [&keeper](const auto& place) {
    return std::holds_alternative<responses::Reasoning>(*place.second) && keeper.has_dropped(place.first);
  });
  if (places.empty()) return bytes;
  const auto first = std::ranges::find_if(
      *items, [&places](const responses::Item& item) { return places.contains(id_of(item)); });
  return refuse::no_item(id_of(*first), request.store.value_or(true));
}

/// The memory that the request's input takes if kept: its texts, and its items, which may be many and short.
std::size_t size_of_input(const Document& document, std::string_view body) {
  const auto* input = member(document, "input");
  const auto items = input == nullptr ? 0 : input->is_array() ? input->size() : 1;
  return body.size() + items * sizeof(responses::Item);
}

/// Puts `instructions` before the turns, or the endpoint's if no instructions come first.
std::vector<ChatTurn> instructed(std::vector<ChatTurn> turns, std::optional<std::string> instructions,
                                 const Endpoint& endpoint) {
  const auto say = [&turns](std::string text) {
    turns.insert(turns.begin(), {.role = "system", .text = std::move(text)});
  };
  if (instructions) say(*std::move(instructions));
  const bool has_system = !turns.empty() && turns.front().role == "system";
  if (!has_system && !endpoint.default_system_prompt.empty()) say(endpoint.default_system_prompt);
  return turns;
}

}  // namespace

OrRefusal<ReadRequest> read_request(const Question& question, const Memory& memory) {
  const auto& [document, body, endpoint, dialect, seed] = question;
  const auto typed = dialect.responses.keeps ? with_types(document) : std::string();
  if (auto bad = check_rules(typed.empty() ? body : typed, protocol::responses_rules(), dialect.speaker)) {
    return *std::move(bad);
  }
  // Other services accept `previous_response_id` in place of both; here, that would ask nothing.
  if (member(document, "input") == nullptr && member(document, "prompt") == nullptr) {
    return refuse::missing("input");
  }
  auto earlier = before(document, memory);
  if (!earlier) return std::move(earlier).refusal();
  if (auto bad = check_response(question)) return *std::move(bad);

  auto decoded = json::decode<responses::Request>(body, json::Reading::strict);
  if (!decoded) return refuse::invalid_value(decoded.error().path, decoded.error().detail);
  ReadRequest read{.request = *std::move(decoded), .earlier = *std::move(earlier)};
  read_bare_references(read.request);
  auto referred =
      resolve_references(read.request, read.earlier.input, *memory.keeper, dialect.responses.keeps);
  if (!referred) return std::move(referred).refusal();
  if (auto bad = check_outputs(read.request, read.earlier.input)) return *std::move(bad);
  read.earlier.bytes += size_of_input(document, body) + *referred;

  auto instructions = instructions_of(document, *memory.prompts);
  if (!instructions) return std::move(instructions).refusal();
  read.turns = instructed(turns_of(read.request, read.earlier.input), *std::move(instructions), endpoint);
  return read;
}

}  // namespace inferwire::inline v0_1::engine
