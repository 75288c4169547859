#include "engine/constraint/machine.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/utf8.hpp"

namespace inferwire::inline v0_1::engine {
namespace {

/// From here on values are as short as they can be, which ends what could go on for ever.
constexpr std::uint32_t deep = 24;
/// Down to this depth lists are filled for their own sake.
constexpr std::uint32_t shallow = 4;
/// Matched strings without a limit end as soon as they can after so many bytes.
constexpr std::uint32_t long_string = 48;
/// If there are more alternatives than this, the cheapest are kept. They are looked for once there are so
/// many more that it pays.
constexpr std::size_t most_frames = 128, too_many_frames = 1'024;

// Phases. Every value begins as `open`, before its first byte.
constexpr std::uint8_t open = 0;
// Strings: `count` characters. In the tail of a character, which began with the byte `first`, `last` bytes
// are to come.
constexpr std::uint8_t inside = 1, escape = 2, tail = 3;
// Arrays of `count` elements; objects with the properties before `first` behind them. In a key, `count` bytes
// are written, as property number `last` begins, which may be any from `first` to the next required one.
constexpr std::uint8_t empty = 1, after = 2, key = 3;

/// Calls `visit` with the number of each property that may be written next, until it returns true.
template <class Visit>
void each_candidate(const Object& object, const Frame& frame, Visit visit) {
  const bool only_required = frame.depth >= deep;
  for (std::uint32_t at = frame.first; at < object.properties.size(); ++at) {
    const auto& property = object.properties[at];
    if ((property.required || !only_required) && visit(at)) return;
    if (property.required) return;
  }
}

/// Whether a candidate goes on as the key so far does.
bool begins_alike(const Object& object, const Frame& frame, std::uint32_t at) {
  const auto& text = object.properties[at].key.text;
  const auto& other = object.properties[frame.last].key.text;
  return text.size() > frame.count && text.compare(0, frame.count, other, 0, frame.count) == 0;
}

/// The fewest tokens that end the frame's own value.
struct Left {
  const Grammar& grammar;
  const Frame& frame;

  Cost operator()(const Literals& literals) const {
    Cost least = unreachable;
    for (auto at = frame.first; at < frame.last; ++at) {
      least = std::min(least, literals.texts[at].left[frame.count]);
    }
    return least;
  }
  Cost operator()(const FreeString& string) const {
    const auto left_after = [&](std::uint32_t count) {
      const auto missing = string.length.least > count ? string.length.least - count : 0;
      return plus(1, grammar.vocabulary().plain_tokens(missing));
    };
    switch (frame.phase) {
      case open: return plus(1, left_after(0));
      case inside: return left_after(frame.count);
      case escape: return plus(1, left_after(frame.count + 1));
      default: return plus(frame.last, left_after(frame.count + 1));
    }
  }
  Cost operator()(const PatternString& string) const {
    if (frame.phase == open) return plus(2, string.pattern.left(Pattern::start));
    return plus(1, string.pattern.left(static_cast<Pattern::State>(frame.first)));
  }
  Cost operator()(const Number& number) const { return number.range.left(frame.digits); }
  Cost operator()(const Array& array) const {
    return plus(frame.phase == open ? 1 : 0, grammar.left(array, frame.count));
  }
  Cost operator()(const Object& object) const {
    if (frame.phase != key) {
      return plus(frame.phase == open ? 1 : 0, grammar.left(object, frame.first, frame.phase != after));
    }
    Cost least = unreachable;
    each_candidate(object, frame, [&](std::uint32_t at) {
      if (!begins_alike(object, frame, at)) return false;
      const auto& [spelling, value, required] = object.properties[at];
      const auto own = plus(spelling.left[frame.count], grammar.cost(value));
      least = std::min(least, plus(own, grammar.left(object, at + 1, false)));
      return false;
    });
    return least;
  }
  Cost operator()(const Alternatives&) const { return unreachable; }  // frames are of what is chosen
};

}  // namespace

/// One byte more for one frame.
class Stepper {
 public:
  Stepper(Machine& machine, const Frame& frame, char byte, Frames& to)
      : machine_(machine), frame_(frame), byte_(byte), to_(to) {}

  void step() {
    if (frame_.node != no_node) std::visit(*this, machine_.grammar()[frame_.node]);
  }

  void operator()(const Literals& literals) {
    const auto byte_of = [&](std::uint32_t at) {
      const auto& text = literals.texts[at].text;
      return frame_.count < text.size() ? static_cast<unsigned char>(text[frame_.count]) : -1;
    };
    const int wanted = static_cast<unsigned char>(byte_);
    auto next = frame_;
    while (next.first < next.last && byte_of(next.first) < wanted) ++next.first;
    next.last = next.first;
    while (next.last < frame_.last && byte_of(next.last) == wanted) ++next.last;
    ++next.count;
    if (next.first < next.last && literals.texts[next.first].text.size() == next.count) {
      leave();
      ++next.first;
    }
    if (next.first < next.last) keep(next);
  }

  void operator()(const FreeString& string) {
    auto next = frame_;
    const auto byte = static_cast<unsigned char>(byte_);
    next.phase = inside;
    if (frame_.phase == open) {
      if (byte == '"') keep(next);
    } else if (frame_.phase == inside) {
      if (byte == '"') {
        if (frame_.count >= string.length.least) leave();
      } else if (frame_.count < string.length.most && begin_character(byte, next)) {
        keep(next);
      }
    } else if (frame_.phase == escape) {
      ++next.count;
      if (byte == '"' || byte == '\\' || byte == 'n' || byte == 't') keep(next);
    } else if (const auto lead = utf8::lead(static_cast<unsigned char>(frame_.first));
               lead.allows(lead.length - frame_.last, byte)) {
      if (--next.last > 0) {
        next.phase = tail;
      } else {
        next.first = 0;
        ++next.count;
      }
      keep(next);
    }
  }

  void operator()(const PatternString& string) {
    auto next = frame_;
    if (frame_.phase == open) {
      next.phase = inside;
      next.first = Pattern::start;
      if (byte_ == '"') keep(next);
      return;
    }
    const auto state = static_cast<Pattern::State>(frame_.first);
    const auto to = string.pattern.next(state, byte_);
    const bool hurries = frame_.count >= long_string || frame_.depth >= deep;
    if (to != Pattern::nowhere) {
      ++next.count;
      next.first = to;
      if (!hurries || string.pattern.left(to) < string.pattern.left(state)) keep(next);
    } else if (byte_ == '"' && string.pattern.accepts(state)) {
      leave();
    }
  }

  void operator()(const Number& number) {
    if (const auto digits = number.range.next(frame_.digits, byte_)) {
      auto next = frame_;
      next.digits = *digits;
      keep(next);
    } else if (number.range.may_end(frame_.digits) && frame_.below != Frame::none) {
      const auto around = machine_.below_[frame_.below];
      Stepper(machine_, around, byte_, to_).step();
    }
  }

  void operator()(const Array& array) {
    auto next = frame_;
    if (frame_.phase == open) {
      if (byte_ != '[') return;
      next.phase = empty;
      if (array.least == 0) keep(next);
      add_element(array, next);
    } else if (byte_ == ']') {
      if (frame_.count >= array.least) leave();
    } else if (byte_ == ',' && frame_.phase == after) {
      add_element(array, next);
    }
  }

  void operator()(const Object& object) {
    auto next = frame_;
    const bool may_close = object.required_left[frame_.first] == 0;
    switch (frame_.phase) {
      case open:
        if (byte_ != '{') return;
        next.phase = empty;
        if (may_close) keep(next);
        add_key(next);
        return;
      case key: return add_to_key(object);
      case after:
        if (byte_ == ',') add_key(next);
        [[fallthrough]];
      default:
        if (byte_ == '}' && may_close) leave();
    }
  }

  void operator()(const Alternatives&) {}

  /// The beginnings of a value in `around`. No frame is like them yet: what is below is new.
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
      const auto* literals = std::get_if<Literals>(&grammar[node]);
      frame.last = literals != nullptr ? static_cast<std::uint32_t>(literals->texts.size()) : 0;
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

  /// The value is whole: what is around it goes on.
  void leave() { keep(frame_.below == Frame::none ? Frame{} : machine_.below_[frame_.below]); }

  static bool begin_character(unsigned char byte, Frame& next) {
    const auto lead = utf8::lead(byte);
    if (byte < 0x20 || byte == 0x7F || lead.length == 0) return false;
    if (byte == '\\') {
      next.phase = escape;
    } else if (lead.length == 1) {
      ++next.count;
    } else {
      next.phase = tail;
      next.first = byte;
      next.last = lead.length - 1U;
    }
    return true;
  }

  void add_element(const Array& array, Frame around) {
    const auto at = around.count;
    const bool is_spare = at >= array.least;
    const auto node = at < array.first.size() ? array.first[at] : array.rest;
    if (at >= array.most || node == no_node || (is_spare && frame_.depth >= deep)) return;
    around.phase = after;
    ++around.count;
    enter(node, &around);
  }

  void add_key(Frame next) {
    next.phase = key;
    next.count = 0;
    next.last = next.first;
    keep(next);
  }

  void add_to_key(const Object& object) {
    auto next = frame_;
    ++next.count;
    each_candidate(object, frame_, [&](std::uint32_t at) {
      const auto& [spelling, value, required] = object.properties[at];
      if (!begins_alike(object, frame_, at) || spelling.text[frame_.count] != byte_) return false;
      next.last = at;
      if (next.count < spelling.text.size()) {
        keep(next);
      } else {
        next.phase = after;
        next.first = at + 1;
        next.count = next.last = 0;
        enter(value, &next);
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
    return number != nullptr && frame.below == Frame::none && number->range.may_end(frame.digits);
  });
}

bool Machine::drop_empty_lists(Frames& frames) const {
  const auto is_empty = [this](const Frame& frame) {
    return frame.node != no_node && frame.phase == empty && frame.depth < shallow &&
           std::holds_alternative<Array>((*grammar_)[frame.node]);
  };
  return !std::ranges::all_of(frames, is_empty) && std::erase_if(frames, is_empty) > 0;
}

bool Machine::is_between_characters(const Frame& frame) noexcept { return frame.phase == inside; }

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
