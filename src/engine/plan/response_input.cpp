#include "engine/plan/response_input.hpp"

#include "engine/plan/attachment.hpp"
#include "engine/plan/rule_check.hpp"
#include "json/text.hpp"
#include "wire/parts_of.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {
namespace {

std::optional<Refusal> check_input_image(const Document& part, const Place& place) {
  const auto* url = member(part, "image_url");
  const auto here = place.member("image_url");
  if (url != nullptr) return check_image(text(url), here);
  return member(part, "file_id") != nullptr ? std::optional<Refusal>() : refuse::missing(here.text());
}

std::optional<Refusal> check_input_file(const Document& part, const Place& place) {
  const auto* data = member(part, "file_data");
  if (data == nullptr) return std::nullopt;
  return check_file_data(text(data), place.member("file_data"));
}

std::optional<Refusal> check_parts(const Document* content, const Place& place) {
  if (content == nullptr || !content->is_array()) return std::nullopt;
  for (std::size_t i = 0; i < content->size(); ++i) {
    const auto& part = (*content)[i];
    const auto type = text(member(part, "type"));
    const auto here = place.element(i);
    auto bad = type == "input_image"  ? check_input_image(part, here)
               : type == "input_file" ? check_input_file(part, here)
                                      : std::optional<Refusal>();
    if (bad) return bad;
  }
  return std::nullopt;
}

/// Parts of a message as the model reads them.
struct ReadPart {
  std::string& text;

  void operator()(const responses::InputText& part) const { text += part.text; }
  void operator()(const responses::OutputText& part) const { text += part.text; }
  void operator()(const responses::InputImage&) const { text += image_mark; }
  void operator()(const responses::InputFile& file) const { text += read_file(file); }
  template <class Other>
  void operator()(const Other&) const {}
};

std::string read(const std::vector<responses::ContentPart>& parts) {
  std::string text;
  for (const auto& part : parts) std::visit(ReadPart{text}, part);
  return text;
}

std::string text_of(const responses::Message& message) {
  if (!message.content) return {};
  if (const auto* whole = std::get_if<std::string>(&*message.content)) return *whole;
  return read(std::get<std::vector<responses::ContentPart>>(*message.content));
}

std::string text_of(const responses::ToolOutput& output) {
  if (const auto* whole = std::get_if<std::string>(&output)) return *whole;
  if (const auto* parts = std::get_if<std::vector<responses::ContentPart>>(&output)) return read(*parts);
  std::string out = "{";
  for (const auto& [name, value] : std::get<Dictionary<Json>>(output)) {
    if (out.size() > 1) out += ',';
    json::append_name(out, name);
    out += value.text();
  }
  return out + "}";
}

struct ToTurn {
  std::vector<ChatTurn>& turns;

  void operator()(const responses::Message& message) const {
    const auto& role = message.role;
    turns.push_back({.role = role == Role::developer ? "system" : role.str(), .text = text_of(message)});
  }
  void operator()(const responses::FunctionCall& call) const {
    turns.push_back({.role = "assistant", .text = call.name + "(" + call.arguments + ")"});
  }
  void operator()(const responses::FunctionCallOutput& result) const {
    turns.push_back({.role = "tool", .text = text_of(result.output)});
  }
  /// Skips reasoning; the rules admit no other items.
  template <class Item>
  void operator()(const Item&) const {}
};

/// Converts texts to lists of parts, and gives messages their `type`.
struct ToListed {
  void operator()(responses::Message& message) const {
    message.type = "message";
    if (!message.status) message.status = "completed";
    const auto* const text = message.content ? std::get_if<std::string>(&*message.content) : nullptr;
    if (text == nullptr) return;
    std::vector<responses::ContentPart> parts;
    if (message.role == Role::assistant) {
      parts.emplace_back(responses::OutputText{.text = *text});
    } else {
      parts.emplace_back(responses::InputText{.text = *text});
    }
    message.content = std::move(parts);
  }
  template <class Item>
  void operator()(Item& item) const {
    if constexpr (requires { item.status = "completed"; }) {
      if (!item.status) item.status = "completed";
    }
  }
};

/// The input's text; nullptr if it is a list.
const std::string* own_text(const responses::Request& request) {
  return request.input ? std::get_if<std::string>(&*request.input) : nullptr;
}
/// The input's items; nullptr if it is a text.
const Items* own_items(const responses::Request& request) {
  return request.input ? std::get_if<Items>(&*request.input) : nullptr;
}

/// The items of the conversation, the oldest first, without an input that is a text.
std::vector<const responses::Item*> items_of(const responses::Request& request, const Items& earlier) {
  std::vector<const responses::Item*> items;
  for (const auto& item : earlier) items.push_back(&item);
  if (const auto* own = own_items(request)) {
    for (const auto& item : *own) items.push_back(&item);
  }
  return items;
}

template <class Kind>
constexpr const char* prefix_of = "item_";
template <>
constexpr const char* prefix_of<responses::Message> = "msg_";
template <>
constexpr const char* prefix_of<responses::FunctionCall> = "fc_";
template <>
constexpr const char* prefix_of<responses::FunctionCallOutput> = "fco_";
template <>
constexpr const char* prefix_of<responses::Reasoning> = "rs_";

}  // namespace

std::optional<Refusal> check_input(const Document& input, bool object_arguments) {
  if (!input.is_array()) return std::nullopt;
  const Place place{.name = "input"};
  for (std::size_t i = 0; i < input.size(); ++i) {
    const auto here = place.element(i);
    const auto type = text(member(input[i], "type"));
    if (type == "function_call") {
      auto bad = object_arguments ? check_arguments(input[i], here) : std::optional<Refusal>();
      if (bad) return bad;
    } else if (type == "function_call_output") {
      if (auto bad = check_parts(member(input[i], "output"), here.member("output"))) return bad;
    } else if (auto bad = check_parts(member(input[i], "content"), here.member("content"))) {
      return bad;
    }
  }
  return std::nullopt;
}

std::optional<Refusal> check_outputs(const responses::Request& request, const Items& earlier) {
  std::set<std::string_view> known;
  for (const auto* item : items_of(request, earlier)) {
    if (const auto* call = std::get_if<responses::FunctionCall>(item)) known.insert(call->call_id);
    const auto* output = std::get_if<responses::FunctionCallOutput>(item);
    if (output != nullptr && !known.contains(output->call_id)) return refuse::no_call(output->call_id);
  }
  return std::nullopt;
}

std::optional<Refusal> check_all_answered(const responses::Request& request, const Items& earlier) {
  const auto items = items_of(request, earlier);
  std::set<std::string_view> answered;
  for (const auto* item : items) {
    const auto* output = std::get_if<responses::FunctionCallOutput>(item);
    if (output != nullptr) answered.insert(output->call_id);
  }
  for (const auto* item : items) {
    const auto* call = std::get_if<responses::FunctionCall>(item);
    if (call != nullptr && !answered.contains(call->call_id)) return refuse::no_output(call->call_id);
  }
  return std::nullopt;
}

std::vector<ChatTurn> turns_of(const responses::Request& request, const Items& earlier) {
  std::vector<ChatTurn> turns;
  if (request.instructions) turns.push_back({.role = "system", .text = *request.instructions});
  for (const auto& item : earlier) std::visit(ToTurn{turns}, item);
  if (const auto* whole = own_text(request)) turns.push_back({.role = "user", .text = *whole});
  if (const auto* own = own_items(request)) {
    for (const auto& item : *own) std::visit(ToTurn{turns}, item);
  }
  return turns;
}

CallCounts calls_of(const responses::Request& request, const Items& earlier) {
  CallCounts calls;
  if (own_text(request) != nullptr) return calls;
  for (const auto* item : items_of(request, earlier)) {
    const auto* const message = std::get_if<responses::Message>(item);
    if (message != nullptr && message->role == Role::user) calls.clear();
    if (const auto* const call = std::get_if<responses::FunctionCall>(item)) ++calls[call->name];
  }
  return calls;
}

Items listed_input(const responses::Request& request) {
  Items items;
  if (const auto* whole = own_text(request)) items.emplace_back(responses::user(*whole));
  if (const auto* own = own_items(request)) items = *own;
  for (auto& item : items) std::visit(ToListed(), item);
  return items;
}

std::string_view id_of(const responses::Item& item) {
  return std::visit(
      []<class Kind>(const Kind& kind) -> std::string_view {
        if constexpr (requires { kind.id.value_or(""); }) {
          return kind.id ? std::string_view(*kind.id) : std::string_view();
        } else if constexpr (requires { kind.id; }) {
          return kind.id;
        } else {
          return {};
        }
      },
      item);
}

std::size_t memory_of(const responses::Item& item) {
  const auto json = responses::to_json(item);  // for the texts
  std::size_t bytes = sizeof item + (json ? json->text().size() : 0);
  const auto* const message = std::get_if<responses::Message>(&item);
  const auto* const parts = message != nullptr ? wire::parts_of(message->content) : nullptr;
  if (parts == nullptr) return bytes;
  const auto add = [&bytes](const auto& logprob) {
    bytes += sizeof logprob + (logprob.bytes ? logprob.bytes->size() * sizeof(std::int64_t) : 0);
  };
  for (const auto& part : *parts) {
    bytes += sizeof part;
    const auto* const output = std::get_if<responses::OutputText>(&part);
    if (output == nullptr) continue;
    bytes += output->annotations.size() * sizeof(responses::Annotation);
    if (!output->logprobs) continue;
    for (const auto& token : *output->logprobs) {
      add(token);
      for (const auto& likely : token.top_logprobs) add(likely);
    }
  }
  return bytes;
}

void give_ids(Items& items, const std::string& id_suffix) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::visit(
        [&]<class Kind>(Kind& kind) {
          if constexpr (requires { kind.id.value_or(""); }) {
            if (!kind.id) kind.id = prefix_of<Kind> + id_suffix + "_in" + std::to_string(i);
          }
        },
        items[i]);
  }
}

}  // namespace inferwire::inline v0_1::engine
