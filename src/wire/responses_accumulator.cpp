// Folds the events of a Responses stream into the answer that the call without streaming would have given.
// Non-empty `*.done` events take precedence over the pieces before them, and so does the output of the last
// response. Items are identified by `output_index`, or by their id if servers leave it out.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "json/codec.hpp"
#include "json/text_at.hpp"
#include "wire/documents.hpp"
#include "wire/fold.hpp"
#include "wire/parts_of.hpp"

namespace inferwire::inline v0_1::responses {
namespace {

using wire::parts_of;

constexpr std::size_t most_items = 1024;
constexpr std::size_t most_parts = 1024;

/// Takes the text of a `*.done` event. Some servers leave out there what the pieces contained.
void take_done(std::string& gathered, const std::string& whole) {
  if (!whole.empty()) gathered = whole;
}

void take_done(ReasoningText& gathered, const ReasoningText& whole) {
  auto text = std::move(gathered.text);
  gathered = whole;
  if (gathered.text.empty()) gathered.text = std::move(text);
}

void take_done(ContentPart& gathered, const ContentPart& whole) {
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

/// A list whose elements are identified by numbers, which are keys and never sizes.
template <class T>
class Numbered {
 public:
  Numbered() = default;

  bool empty() const noexcept { return elements_.empty(); }

  /// The element, created from `fresh` if it is missing; nullptr if there are too many.
  T* at(std::int64_t number, const T& fresh) {
    const auto place = std::lower_bound(elements_.begin(), elements_.end(), number,
                                        [](const Element& e, std::int64_t n) { return e.number < n; });
    if (place != elements_.end() && place->number == number) return &place->value;
    if (elements_.size() == most_parts) return nullptr;
    return &elements_.insert(place, {number, fresh})->value;
  }
  /// `done`: the element is complete, and its non-empty parts replace what was gathered.
  void set(std::int64_t number, const T& value, bool done) {
    T* const element = at(number, value);
    if (element == nullptr) return;
    if (done) {
      take_done(*element, value);
    } else {
      *element = value;
    }
  }

  /// Sets all elements at once, if there are any.
  void set_all(const std::vector<T>& elements, bool done) {
    if (elements.empty()) return;
    std::erase_if(elements_, [&](const Element& element) {
      return element.number < 0 || element.number >= static_cast<std::int64_t>(elements.size());
    });
    for (std::int64_t number = 0; const T& element : elements) set(number++, element, done);
  }

  std::vector<T> take() && {
    std::vector<T> out;
    out.reserve(elements_.size());
    for (Element& element : elements_) out.push_back(std::move(element.value));
    return out;
  }

 private:
  struct Element {
    std::int64_t number;
    T value;
  };
  std::vector<Element> elements_;
};

std::string id_of(const Item& item) {
  return std::visit(
      []<class T>(const T& kind) -> std::string {
        if constexpr (std::is_same_v<T, Unknown>) {
          return json::text_at(kind.json, "/id");
        } else if constexpr (std::is_same_v<T, ItemReference>) {
          return kind.id;
        } else {
          return kind.id.value_or("");
        }
      },
      item);
}

/// An item in progress: its lists are kept separately, because their elements are numbered.
struct ItemFold {
  Optional<std::int64_t> index{};
  std::string id{};
  bool done{};
  bool is_text_done{};  // of a call
  Item item{Unknown{}};
  Numbered<ContentPart> content{};      // of a message
  Numbered<ReasoningText> reasoning{};  // of reasoning
  Numbered<ReasoningText> summary{};

  /// The item as a T; an unknown one, for which only pieces were received, becomes a T.
  template <class T>
  T* as() {
    if (auto* const kind = std::get_if<T>(&item)) return kind;
    const auto* const unknown = std::get_if<Unknown>(&item);
    if (unknown == nullptr || !unknown->json.is_null()) return nullptr;
    T& made = item.emplace<T>();
    if (!id.empty()) made.id = id;
    if constexpr (std::is_same_v<T, Message>) {
      made.type = "message";
      made.role = Role::assistant;
    }
    return &made;
  }

  /// Takes a complete item; where it is empty, what was gathered is kept.
  void set(const Item& whole, bool is_done) {
    const Item before = std::exchange(item, whole);
    done = is_done;
    if (auto name = id_of(whole); !name.empty()) id = std::move(name);
    if (auto* const message = std::get_if<Message>(&item)) {
      const auto* const parts = parts_of(message->content);
      const auto* const text = message->content ? std::get_if<std::string>(&*message->content) : nullptr;
      if (parts != nullptr) content.set_all(*parts, done);
      if (text != nullptr && !text->empty()) content = {};
    } else if (auto* const thought = std::get_if<Reasoning>(&item)) {
      summary.set_all(thought->summary, done);
      reasoning.set_all(thought->content, done);
    } else if (done) {
      keep_gathered<FunctionCall>(before, &FunctionCall::arguments);
      keep_gathered<CustomToolCall>(before, &CustomToolCall::input);
    }
  }

  template <class Call>
  void keep_gathered(const Item& before, std::string Call::* text) {
    auto* const call = std::get_if<Call>(&item);
    const auto* const pieces = std::get_if<Call>(&before);
    if (call != nullptr && pieces != nullptr && (call->*text).empty()) call->*text = pieces->*text;
  }

  /// `told`: the server has sent the response's status. Otherwise items that are not done may be cut off, as
  /// in a chat.
  Item finished(bool complete, bool told) && {
    const bool is_cut = !complete && !done;
    const bool may_go_on = !told && !done && !is_text_done;
    if (auto* const message = std::get_if<Message>(&item)) {
      if (parts_of(message->content) != nullptr || !content.empty())
        message->content = std::move(content).take();
    } else if (auto* const thought = std::get_if<Reasoning>(&item)) {
      thought->summary = std::move(summary).take();
      thought->content = std::move(reasoning).take();
    } else if (auto* const call = std::get_if<FunctionCall>(&item)) {
      if (is_cut || (may_go_on && !json::check(call->arguments))) mark_incomplete(*call);
    } else if (auto* const custom = std::get_if<CustomToolCall>(&item)) {
      if (is_cut || may_go_on) mark_incomplete(*custom);
    }
    return std::move(item);
  }

  template <class Call>
  static void mark_incomplete(Call& call) {
    call.status = "incomplete";
    call.extra.erase("status");
  }
};

}  // namespace

struct INFERWIRE_PRIVATE Accumulator::State {
  Response response{};  // except the items in progress; its output is that of earlier turns
  std::vector<ItemFold> items{};
  bool over{};                       // the response has ended; what follows belongs to the next turn
  Optional<std::int64_t> created{};  // the sequence number of the event that began it

  /// Agents on Databricks answer in turns, each a separate response that numbers its items from 0.
  void begin_turn() {
    close_items(true);
    over = false;
  }

  ItemFold* add_item(Optional<std::int64_t> index, std::string id) {
    if (response.output.size() + items.size() >= most_items) return nullptr;
    items.push_back({.index = index, .id = std::move(id)});
    return &items.back();
  }

  /// The item with this index; without an index, the first with this id that `fits`: agents on Databricks
  /// give all items of a turn the same id.
  template <class Fits>
  ItemFold* find(Optional<std::int64_t> index, const std::string& id, Fits fits) {
    const auto found = std::find_if(items.begin(), items.end(), [&](const ItemFold& fold) {
      return index ? fold.index == index : !id.empty() && fold.id == id && fits(fold);
    });
    return found == items.end() ? nullptr : &*found;
  }

  /// The item that a piece of a T belongs to; nullptr if there are too many. Without an index and with an
  /// unknown id, it is the latest item that can hold the piece: agents on Databricks change ids.
  template <class T>
  ItemFold* item_for(const auto& event) {
    if (over) begin_turn();
    const Optional<std::int64_t>& index = event.output_index;
    const std::string& id = event.item_id;
    const auto is_open = [](const ItemFold& candidate) {
      return !candidate.done && std::holds_alternative<T>(candidate.item);
    };
    ItemFold* fold = find(index, id, is_open);
    if (fold == nullptr && !index) {
      fold = find(index, id, [](const ItemFold& late) { return std::holds_alternative<T>(late.item); });
    }
    if (fold == nullptr && !index) {
      const auto latest = std::find_if(items.rbegin(), items.rend(), is_open);
      if (latest != items.rend()) fold = &*latest;
    }
    if (fold == nullptr) fold = add_item(index, id);
    if (fold != nullptr) fold->as<T>();  // a new item becomes a T
    return fold;
  }
  /// The item for a piece, as a T; nullptr also if it is of another kind.
  template <class T>
  T* part_for(const auto& event) {
    ItemFold* const fold = item_for<T>(event);
    return fold != nullptr ? fold->as<T>() : nullptr;
  }

  /// Takes a complete item. Without an index it ends the open item with its id, or else one of its kind.
  void set_item(Optional<std::int64_t> index, const Item& item, bool done) {
    if (over) begin_turn();
    const auto is_open = [&item](const ItemFold& candidate) {
      return !candidate.done && candidate.item.index() == item.index();
    };
    ItemFold* fold = find(index, id_of(item), is_open);
    if (fold == nullptr && !index && done) {
      const auto open = std::find_if(items.begin(), items.end(), is_open);
      if (open != items.end()) fold = &*open;
    }
    if (fold == nullptr) fold = add_item(index, {});
    if (fold == nullptr) return;
    fold->set(item, done);
  }

  template <class T>
  T* content(const auto& event) {
    ItemFold* const fold = item_for<Message>(event);
    ContentPart* const part = fold != nullptr ? fold->content.at(event.content_index, T()) : nullptr;
    if (part == nullptr) return nullptr;
    const auto* const unknown = std::get_if<Unknown>(part);
    if (unknown != nullptr && unknown->json.is_null()) *part = T();
    return std::get_if<T>(part);
  }
  ReasoningText* summary(const auto& event) {
    ItemFold* const fold = item_for<Reasoning>(event);
    return fold != nullptr ? fold->summary.at(event.summary_index, {}) : nullptr;
  }
  ReasoningText* thought(const auto& event) {
    ItemFold* const fold = item_for<Reasoning>(event);
    return fold != nullptr ? fold->reasoning.at(event.content_index, {.type = "reasoning_text"}) : nullptr;
  }

  /// Custom outputs of agents on Databricks, which may be in any event.
  void take_custom_outputs(const Extra& extra) {
    const auto* const outputs = extra.find("custom_outputs");
    if (outputs != nullptr && !outputs->is_null()) response.custom_outputs = *outputs;
  }

  void add(const UnknownEvent&) {}
  void add(const HostedToolEvent&) {}
  void add(const LifecycleEvent& event) {
    // Some servers send the completion of a response twice.
    const bool repeated = over && event.is_terminal() && event.response.id == response.id;
    if (event.type == "response.created") {
      // A stream that was resumed from its beginning repeats this event. Turns of agents may share an id, but
      // their events have no numbers.
      const bool again = event.sequence_number && event.sequence_number == created &&
                         event.response.id == response.id && !over;
      if (again) items.clear();
      created = event.sequence_number;
    }
    if (event.type == "response.created" || (over && !repeated)) begin_turn();
    over = false;
    auto earlier = std::move(response.output);
    auto usage = std::move(response.usage);
    auto custom_outputs = std::move(response.custom_outputs);
    response = event.response;
    response.output = std::move(earlier);
    if (!response.usage) response.usage = std::move(usage);
    if (!response.custom_outputs) response.custom_outputs = std::move(custom_outputs);
    // Agents on Databricks give the status only by the name of the event.
    if (!response.status && event.is_terminal())
      response.status = event.type.substr(event.type.rfind('.') + 1);
    if (!event.response.output.empty()) items.clear();
    for (const Item& item : event.response.output) {
      set_item(static_cast<std::int64_t>(items.size()), item, event.is_terminal());
    }
    over = event.is_terminal();
  }
  void add(const ErrorEvent& event) {
    const auto nested = [&event](std::string_view pointer) {
      return event.error ? json::text_at(*event.error, pointer) : std::string();
    };
    auto code = event.code ? *event.code : nested("/code");
    auto message = event.message ? *event.message : nested("/message");
    if (code.empty() && message.empty()) return;
    response.error = ResponseError{.code = std::move(code), .message = std::move(message)};
  }
  void add(const OutputItemAdded& event) { set_item(event.output_index, event.item, false); }
  void add(const OutputItemDone& event) { set_item(event.output_index, event.item, true); }
  void add(const ContentPartAdded& event) { set_part(event, false); }
  void add(const ContentPartDone& event) { set_part(event, true); }
  void add(const TextDelta& event) {
    auto* const part = content<OutputText>(event);
    if (part == nullptr) return;
    part->text += event.delta;
    if (!event.logprobs || event.logprobs->empty()) return;
    if (!part->logprobs) part->logprobs.emplace();
    part->logprobs->insert(part->logprobs->end(), event.logprobs->begin(), event.logprobs->end());
  }
  void add(const TextDone& event) {
    auto* const part = content<OutputText>(event);
    if (part == nullptr) return;
    take_done(part->text, event.text);
    if (event.logprobs && !event.logprobs->empty()) part->logprobs = event.logprobs;
  }
  void add(const AnnotationAdded& event) {
    auto* const part = content<OutputText>(event);
    if (part != nullptr && part->annotations.size() < most_parts)
      part->annotations.push_back(event.annotation);
  }
  void add(const RefusalDelta& event) {
    if (auto* const part = content<Refusal>(event)) part->refusal += event.delta;
  }
  void add(const RefusalDone& event) {
    if (auto* const part = content<Refusal>(event)) take_done(part->refusal, event.refusal);
  }
  void add(const FunctionCallArgumentsDelta& event) {
    auto* const call = part_for<FunctionCall>(event);
    if (call != nullptr) call->arguments += event.delta;
  }
  void add(const FunctionCallArgumentsDone& event) {
    ItemFold* const fold = item_for<FunctionCall>(event);
    auto* const call = fold != nullptr ? fold->as<FunctionCall>() : nullptr;
    if (call == nullptr) return;
    fold->is_text_done = true;
    take_done(call->arguments, event.arguments);
    if (event.name && !event.name->empty()) call->name = *event.name;
  }
  void add(const CustomToolCallInputDelta& event) {
    auto* const call = part_for<CustomToolCall>(event);
    if (call != nullptr) call->input += event.delta;
  }
  void add(const CustomToolCallInputDone& event) {
    ItemFold* const fold = item_for<CustomToolCall>(event);
    auto* const call = fold != nullptr ? fold->as<CustomToolCall>() : nullptr;
    if (call == nullptr) return;
    fold->is_text_done = true;
    take_done(call->input, event.input);
  }
  void add(const ReasoningSummaryPartAdded& event) {
    if (auto* const piece = summary(event)) *piece = event.part;
  }
  void add(const ReasoningSummaryPartDone& event) {
    if (auto* const piece = summary(event)) take_done(*piece, event.part);
  }
  void add(const ReasoningSummaryTextDelta& event) {
    if (auto* const piece = summary(event)) piece->text += event.delta;
  }
  void add(const ReasoningSummaryTextDone& event) {
    if (auto* const piece = summary(event)) take_done(piece->text, event.text);
  }
  void add(const ReasoningTextDelta& event) {
    if (auto* const piece = thought(event)) piece->text += event.delta;
  }
  void add(const ReasoningTextDone& event) {
    if (auto* const piece = thought(event)) take_done(piece->text, event.text);
  }

  /// Parts of reasoning are sent with the same events as parts of messages.
  void set_part(const auto& event, bool done) {
    const auto* const unknown = std::get_if<Unknown>(&event.part);
    if (unknown != nullptr && unknown->json.is_null()) return;
    if (unknown != nullptr && unknown->type() == "reasoning_text") {
      auto* const piece = thought(event);
      const auto text = unknown->json.find("/text");
      if (piece != nullptr && text) take_done(piece->text, text->as_string().value_or(""));
      return;
    }
    ItemFold* const fold = item_for<Message>(event);
    if (fold != nullptr) fold->content.set(event.content_index, event.part, done);
  }

  void close_items(bool complete) {
    if (std::all_of(items.begin(), items.end(),
                    [](const ItemFold& fold) { return fold.index.has_value(); })) {
      std::sort(items.begin(), items.end(),
                [](const ItemFold& a, const ItemFold& b) { return *a.index < *b.index; });
    }
    for (ItemFold& fold : items) response.output.push_back(std::move(fold).finished(complete, over));
    items.clear();
  }

  Response finished(bool complete) && {
    close_items(complete);
    if (response.object.empty()) response.object = "response";
    wire::drop_unread(response.extra, &response, json::describe<Response>());
    return std::move(response);
  }
};

Accumulator::Accumulator() : state_(std::make_unique<State>()) {}
Accumulator::Accumulator(Accumulator&& other) noexcept : Accumulator() { state_.swap(other.state_); }
Accumulator& Accumulator::operator=(Accumulator&& other) noexcept {
  Accumulator taken(std::move(other));
  state_.swap(taken.state_);
  return *this;
}
Accumulator::~Accumulator() = default;

void Accumulator::add(const Event& event) {
  event.visit([this](const auto& kind) {
    if constexpr (requires { kind.extra; }) state_->take_custom_outputs(kind.extra);
    state_->add(kind);
  });
}

Response Accumulator::partial() const { return State(*state_).finished(true); }

Response Accumulator::take(bool complete) {
  Response out = std::move(*state_).finished(complete);
  *state_ = State{};
  return out;
}

}  // namespace inferwire::inline v0_1::responses
