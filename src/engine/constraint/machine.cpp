#include "engine/constraint/machine.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace inferwire::inline v0_1::engine {
namespace {

/// From this depth on, values are as short as possible, which ends recursion.
constexpr std::uint32_t deep = 24;
/// Lists nested less deep than this can be kept from being empty: see `drop_empty_lists`.
constexpr std::uint32_t shallow = 4;
/// Strings of a pattern end as soon as they can after this many bytes.
constexpr std::uint32_t long_string = 48;
/// At most `most_frames` alternatives are kept, the cheapest. Within a step they are selected once there are
/// more than `too_many_frames`.
constexpr std::size_t most_frames = 128, too_many_frames = 1'024;

/// Calls `visit` with the index of each property that may be written next, until it returns true.
template <class Visit>
void each_candidate(const Object& object, std::uint32_t from, bool only_required, Visit visit) {
  for (std::uint32_t at = from; at < object.properties.size(); ++at) {
    const auto& property = object.properties[at];
    if ((property.required || !only_required) && visit(at)) return;
    if (property.required) return;
  }
}

/// Whether a property's key begins with what has been written.
bool begins_alike(const Object& object, const AtObject& at, std::uint32_t property) {
  const auto& text = object.properties[property].key.text;
  const auto& other = object.properties[at.candidate].key.text;
  return text.size() > at.written && text.compare(0, at.written, other, 0, at.written) == 0;
}

/// The state of a value before its first byte.
struct Unwritten {
  At operator()(const Literals& literals) const {
    return AtLiteral{.last = static_cast<std::uint32_t>(literals.texts.size())};
  }
  At operator()(const FreeString&) const { return AtString(); }
  At operator()(const PatternString&) const { return AtPattern(); }
  At operator()(const Number&) const { return Digits(); }
  At operator()(const Array&) const { return AtArray(); }
  At operator()(const Object&) const { return AtObject(); }
  At operator()(const Alternatives&) const { return {}; }  // frames hold the chosen node
};

/// The fewest tokens that complete the frame's own value.
struct Left {
  const Grammar& grammar;
  const Frame& frame;

  Cost operator()(const Literals& literals) const {
    const auto& at = std::get<AtLiteral>(frame.at);
    Cost least = unreachable;
    for (auto text = at.first; text < at.last; ++text) {
      least = std::min(least, literals.texts[text].left[at.written]);
    }
    return least;
  }
  Cost operator()(const FreeString& string) const {
    using Next = AtString::Next;
    const auto& at = std::get<AtString>(frame.at);
    const auto left_after = [&](std::uint32_t count) {
      const auto missing = string.length.least > count ? string.length.least - count : 0;
      return plus(1, grammar.vocabulary().plain_tokens(missing));
    };
    switch (at.next) {
      case Next::quote: return plus(1, left_after(0));
      case Next::character_or_end: return left_after(at.characters);
      case Next::escaped: return plus(1, left_after(at.characters + 1));
      case Next::tail: break;
    }
    return plus(Cost{at.lead.length} - at.written, left_after(at.characters + 1));
  }
  Cost operator()(const PatternString& string) const {
    const auto& at = std::get<AtPattern>(frame.at);
    if (at.state == Pattern::nowhere) return plus(2, string.pattern.left(Pattern::start));
    return plus(1, string.pattern.left(at.state));
  }
  Cost operator()(const Number& number) const { return number.range.left(std::get<Digits>(frame.at)); }
  Cost operator()(const Array& array) const {
    const auto& at = std::get<AtArray>(frame.at);
    return plus(at.next == AtArray::Next::bracket ? 1 : 0, grammar.left(array, at.elements));
  }
  Cost operator()(const Object& object) const {
    using Next = AtObject::Next;
    const auto& at = std::get<AtObject>(frame.at);
    if (at.next != Next::key) {
      const bool is_first = at.next != Next::comma_or_end;
      return plus(at.next == Next::brace ? 1 : 0, grammar.left(object, at.from, is_first));
    }
    Cost least = unreachable;
    each_candidate(object, at.from, frame.depth >= deep, [&](std::uint32_t property) {
      if (!begins_alike(object, at, property)) return false;
      const auto& [spelling, value, required] = object.properties[property];
      const auto own = plus(spelling.left[at.written], grammar.cost(value));
      least = std::min(least, plus(own, grammar.left(object, property + 1, false)));
      return false;
    });
    return least;
  }
  Cost operator()(const Alternatives&) const { return unreachable; }  // frames hold the chosen node
};

}  // namespace

/// Advances one frame by one byte.
class Stepper {
 public:
  Stepper(Machine& machine, const Frame& frame, char byte, Frames& to)
      : machine_(machine), frame_(frame), byte_(byte), to_(to) {}

  void step() {
    if (frame_.node != no_node) std::visit(*this, machine_.grammar()[frame_.node]);
  }

  void operator()(const Literals& literals) {
    auto at = std::get<AtLiteral>(frame_.at);
    const auto end = at.last;
    const auto byte_of = [&](std::uint32_t text) {
      const auto& bytes = literals.texts[text].text;
      return at.written < bytes.size() ? static_cast<unsigned char>(bytes[at.written]) : -1;
    };
    const int wanted = static_cast<unsigned char>(byte_);
    while (at.first < end && byte_of(at.first) < wanted) ++at.first;
    at.last = at.first;
    while (at.last < end && byte_of(at.last) == wanted) ++at.last;
    ++at.written;
    if (at.first < at.last && literals.texts[at.first].text.size() == at.written) {
      leave();
      ++at.first;
    }
    if (at.first < at.last) go_on(at);
  }

  void operator()(const FreeString& string) {
    using Next = AtString::Next;
    const auto& at = std::get<AtString>(frame_.at);
    const auto byte = static_cast<unsigned char>(byte_);
    const auto go_on_behind = [this](std::uint32_t characters) {
      go_on(AtString{.next = Next::character_or_end, .characters = characters});
    };
    switch (at.next) {
      case Next::quote:
        if (byte == '"') go_on_behind(0);
        return;
      case Next::character_or_end:
        if (byte == '"') {
          if (at.characters >= string.length.least) leave();
        } else if (at.characters < string.length.most) {
          begin_character(byte, at.characters);
        }
        return;
      case Next::escaped:
        if (byte == '"' || byte == '\\' || byte == 'n' || byte == 't') go_on_behind(at.characters + 1);
        return;
      case Next::tail:
        if (!at.lead.allows(at.written, byte)) return;
        if (at.written + 1 == at.lead.length) return go_on_behind(at.characters + 1);
        auto next = at;
        ++next.written;
        go_on(next);
    }
  }

  void operator()(const PatternString& string) {
    const auto& [state, bytes] = std::get<AtPattern>(frame_.at);
    if (state == Pattern::nowhere) {
      if (byte_ == '"') go_on(AtPattern{.state = Pattern::start});
      return;
    }
    const auto to = string.pattern.next(state, byte_);
    const bool hurries = bytes >= long_string || frame_.depth >= deep;
    if (to != Pattern::nowhere) {
      if (!hurries || string.pattern.left(to) < string.pattern.left(state)) {
        go_on(AtPattern{.state = to, .bytes = bytes + 1});
      }
    } else if (byte_ == '"' && string.pattern.accepts(state)) {
      leave();
    }
  }

  void operator()(const Number& number) {
    const auto& digits = std::get<Digits>(frame_.at);
    if (const auto next = number.range.next(digits, byte_)) {
      go_on(*next);
    } else if (number.range.may_end(digits) && frame_.below != Frame::none) {
      const auto around = machine_.below_[frame_.below];
      Stepper(machine_, around, byte_, to_).step();
    }
  }

  void operator()(const Array& array) {
    using Next = AtArray::Next;
    const auto& at = std::get<AtArray>(frame_.at);
    if (at.next == Next::bracket) {
      if (byte_ != '[') return;
      if (array.least == 0) go_on(AtArray{.next = Next::end});
      add_element(array, 0);
    } else if (byte_ == ']') {
      if (at.elements >= array.least) leave();
    } else if (byte_ == ',' && at.next == Next::comma_or_end) {
      add_element(array, at.elements);
    }
  }

  void operator()(const Object& object) {
    using Next = AtObject::Next;
    const auto& at = std::get<AtObject>(frame_.at);
    const bool may_close = object.required_left[at.from] == 0;
    switch (at.next) {
      case Next::brace:
        if (byte_ != '{') return;
        if (may_close) go_on(AtObject{.next = Next::end});
        add_key(0);
        return;
      case Next::key: return add_to_key(object, at);
      case Next::comma_or_end:
        if (byte_ == ',') add_key(at.from);
        [[fallthrough]];
      case Next::end:
        if (byte_ == '}' && may_close) leave();
    }
  }

  void operator()(const Alternatives&) {}

  /// Adds the beginnings of a value in `around`. They equal no other frame: the frame below them is new.
  void enter(NodeId id, const Frame* around) {
    const auto& grammar = machine_.grammar();
    if (grammar.cost(id) >= unreachable) return;
    Frame frame{.depth = around != nullptr ? around->depth + 1 : 0};
    if (around != nullptr) {
      frame.below = static_cast<std::uint32_t>(machine_.below_.size());
      frame.rest = plus(around->rest, std::visit(Left{grammar, *around}, grammar[around->node]));
      machine_.below_.push_back(*around);
    }
    const auto begin = [&](NodeId node) {
      if (frame.depth >= deep && grammar.cost(node) > grammar.cost(id)) return;
      frame.node = node;
      frame.at = std::visit(Unwritten(), grammar[node]);
      if (machine_.left(frame) < machine_.too_much_) to_.push_back(frame);
    };
    if (const auto* choice = std::get_if<Alternatives>(&grammar[id])) {
      for (const auto alternative : choice->of) begin(alternative);
    } else {
      begin(id);
    }
  }

 private:
  void keep(const Frame& frame) {
    if (machine_.left(frame) < machine_.too_much_ && std::ranges::find(to_, frame) == to_.end())
      to_.push_back(frame);
  }

  Frame further(At at) const {
    auto frame = frame_;
    frame.at = at;
    return frame;
  }
  void go_on(At at) { keep(further(at)); }

  /// The value is complete: continues the enclosing one.
  void leave() { keep(frame_.below == Frame::none ? Frame{} : machine_.below_[frame_.below]); }

  void begin_character(unsigned char byte, std::uint32_t characters) {
    using Next = AtString::Next;
    const auto lead = utf8::lead(byte);
    if (byte < 0x20 || byte == 0x7F || lead.length == 0) return;
    if (byte == '\\') {
      go_on(AtString{.next = Next::escaped, .characters = characters});
    } else if (lead.length == 1) {
      go_on(AtString{.next = Next::character_or_end, .characters = characters + 1});
    } else {
      go_on(AtString{.next = Next::tail, .written = 1, .lead = lead, .characters = characters});
    }
  }

  void add_element(const Array& array, std::uint32_t place) {
    const bool is_spare = place >= array.least;
    const auto node = place < array.first.size() ? array.first[place] : array.rest;
    if (place >= array.most || node == no_node || (is_spare && frame_.depth >= deep)) return;
    const auto around = further(AtArray{.next = AtArray::Next::comma_or_end, .elements = place + 1});
    enter(node, &around);
  }

  void add_key(std::uint32_t from) {
    go_on(AtObject{.next = AtObject::Next::key, .from = from, .candidate = from});
  }

  void add_to_key(const Object& object, const AtObject& at) {
    each_candidate(object, at.from, frame_.depth >= deep, [&](std::uint32_t property) {
      const auto& [spelling, value, required] = object.properties[property];
      if (!begins_alike(object, at, property) || spelling.text[at.written] != byte_) return false;
      if (at.written + 1 < spelling.text.size()) {
        auto next = at;
        next.candidate = property;
        ++next.written;
        go_on(next);
      } else {
        const auto around = further(AtObject{.next = AtObject::Next::comma_or_end, .from = property + 1});
        enter(value, &around);
      }
      return true;
    });
  }

  Machine& machine_;
  const Frame& frame_;
  char byte_;
  Frames& to_;
};

Frames Machine::start() {
  Frames frames;
  Stepper(*this, Frame{}, '\0', frames).enter(grammar_->root(), nullptr);
  return frames;
}

void Machine::step(const Frames& from, char byte, Frames& to) {
  to.clear();
  for (const auto& frame : from) {
    Stepper(*this, frame, byte, to).step();
    if (to.size() > too_many_frames) too_much_ = keep_cheapest(to);
  }
  if (to.size() > most_frames) keep_cheapest(to);
  too_much_ = unreachable;
}

Cost Machine::keep_cheapest(Frames& frames) const {
  std::vector<std::pair<Cost, std::size_t>> order;
  for (std::size_t at = 0; at < frames.size(); ++at) order.emplace_back(left(frames[at]), at);
  std::ranges::sort(order);
  Frames kept;
  for (std::size_t i = 0; i < most_frames; ++i) kept.push_back(frames[order[i].second]);
  frames = std::move(kept);
  return order[most_frames - 1].first;
}

bool Machine::may_end(const Frames& frames) const {
  return std::ranges::any_of(frames, [this](const Frame& frame) {
    if (frame.node == no_node) return true;
    const auto* number = std::get_if<Number>(&(*grammar_)[frame.node]);
    return number != nullptr && frame.below == Frame::none &&
           number->range.may_end(std::get<Digits>(frame.at));
  });
}

bool Machine::drop_empty_lists(Frames& frames) {
  const auto is_empty = [](const Frame& frame) {
    const auto* list = std::get_if<AtArray>(&frame.at);
    return list != nullptr && list->next == AtArray::Next::end && frame.depth < shallow;
  };
  return !std::ranges::all_of(frames, is_empty) && std::erase_if(frames, is_empty) > 0;
}

Cost Machine::left(const Frame& frame) const {
  if (frame.node == no_node) return 0;
  return plus(std::visit(Left{*grammar_, frame}, (*grammar_)[frame.node]), frame.rest);
}

Cost Machine::left(const Frames& frames) const {
  Cost least = unreachable;
  for (const auto& frame : frames) least = std::min(least, left(frame));
  return least;
}

}  // namespace inferwire::inline v0_1::engine
