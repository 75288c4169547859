#include "engine/constraint/pattern.hpp"

#include <algorithm>
#include <bitset>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "base/utf8.hpp"
#include "engine/constraint/regex.hpp"

namespace inferwire::inline v0_1::engine {
namespace {

constexpr std::size_t most_nodes = 1'000;
/// This many characters of an expression take as long to be read as a state to be made.
constexpr std::size_t characters_per_state = 16;
/// The builder calls itself no more often: what is empty makes no nodes, however often it is repeated.
constexpr std::size_t most_calls_of_builder = 50'000;
/// The length of strings that have no limit; tried again with more if nothing is as short.
constexpr std::uint32_t usual_length = 64, long_length = 512;

/// A character as JSON has it in a string.
std::string spelt(char32_t c) {
  switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\b': return "\\b";
    case '\f': return "\\f";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
  }
  std::string out;
  if (c < 0x20) {
    out = "\\u00";
    out += "0123456789abcdef"[c >> 4];
    out += "0123456789abcdef"[c & 15];
  } else {
    utf8::append(out, c);
  }
  return out;
}

/// An automaton that may be in many states at once (Thompson), built from its end.
class Nondeterministic {
 public:
  using Id = std::uint32_t;

  struct Node {
    std::bitset<256> bytes{};
    Id next{};
    bool ends_character{};    ///< a byte leads to the next character
    std::vector<Id> forks{};  ///< instead of bytes: goes on at all of these
  };

  explicit Nondeterministic(const Regex& regex) { start_ = add(regex, add_node({})); }

  /// The node where a string is complete.
  static constexpr Id end = 0;
  Id start() const { return start_; }
  bool too_large() const { return nodes_.size() > most_nodes || calls_ > most_calls_of_builder; }
  const Node& operator[](Id id) const { return nodes_[id]; }

  /// Goes as far as it can without reading a byte: `to` gets the nodes that read one, and the end.
  void close(Id id, std::vector<bool>& seen, std::vector<Id>& to) const {
    std::vector<Id> open{id};
    while (!open.empty()) {
      const auto at = open.back();
      open.pop_back();
      if (seen[at]) continue;
      seen[at] = true;
      if (nodes_[at].forks.empty()) to.push_back(at);
      open.insert(open.end(), nodes_[at].forks.begin(), nodes_[at].forks.end());
    }
  }
  std::size_t size() const { return nodes_.size(); }

 private:
  Id add_node(Node node) {
    nodes_.push_back(std::move(node));
    return static_cast<Id>(nodes_.size() - 1);
  }

  /// What leads through `regex` to `next`.
  Id add(const Regex& regex, Id next) {
    ++calls_;
    if (too_large()) return next;
    switch (regex.kind) {
      case Regex::Kind::characters: return add_characters(regex.characters, next);
      case Regex::Kind::choice: {
        Node fork;
        for (const auto& part : regex.parts) fork.forks.push_back(add(part, next));
        return add_node(std::move(fork));
      }
      case Regex::Kind::repeat: return add_repeat(regex, next);
      case Regex::Kind::all:  // is made of several automata
      case Regex::Kind::sequence: break;
    }
    for (auto part = regex.parts.rbegin(); part != regex.parts.rend(); ++part) next = add(*part, next);
    return next;
  }

  Id add_repeat(const Regex& regex, Id next) {
    const auto& part = regex.parts.front();
    auto id = next;
    if (regex.most == Regex::unlimited) {
      id = add_node({.forks = {next}});
      const auto again = add(part, id);
      nodes_[id].forks.push_back(again);
    }
    for (int i = regex.least; i < regex.most; ++i) id = add_node({.forks = {next, add(part, id)}});
    for (int i = 0; i < regex.least; ++i) id = add(part, id);
    return id;
  }

  Id add_characters(const std::u32string& characters, Id next) {
    Node single{.next = next, .ends_character = true};
    Node fork;
    for (const auto c : characters) {
      const auto bytes = spelt(c);
      if (bytes.size() == 1) {
        single.bytes.set(static_cast<unsigned char>(bytes[0]));
        continue;
      }
      auto id = next;
      for (std::size_t at = bytes.size(); at-- > 0;) {
        Node node{.next = id, .ends_character = at + 1 == bytes.size()};
        node.bytes.set(static_cast<unsigned char>(bytes[at]));
        id = add_node(std::move(node));
      }
      fork.forks.push_back(id);
    }
    if (single.bytes.any()) fork.forks.push_back(add_node(std::move(single)));
    // Nothing to choose from: a node that no byte leads out of.
    return fork.forks.empty() ? add_node({}) : add_node(std::move(fork));
  }

  std::vector<Node> nodes_;
  std::size_t calls_{};
  Id start_{};
};

}  // namespace

/// Makes states of sets of nodes. Strings count their characters where it matters: where there are too few,
/// or may be too many.
class PatternBuilder {
 public:
  PatternBuilder(const Nondeterministic& nodes, StringLength length, std::size_t most_states)
      : nodes_(nodes), length_(length), most_states_(most_states) {}

  /// Nothing when there are too many states.
  std::optional<Pattern> build() {
    find_alike();
    pattern_.rows_.resize(1);  // nowhere
    subsets_.emplace_back();
    const auto start = state_of({.nodes = closed({nodes_.start()})});
    for (std::size_t at = start; at < subsets_.size(); ++at) {
      if (subsets_.size() > most_states_) return std::nullopt;
      add_row(static_cast<Pattern::State>(at));
    }
    find_costs(pattern_.rows_);
    return std::move(pattern_);
  }
  std::size_t states() const { return subsets_.size(); }

  /// The strings of both. Nothing when there are too many states.
  static std::optional<Pattern> both(const Pattern& a, const Pattern& b, std::size_t most_states) {
    using Pair = std::pair<Pattern::State, Pattern::State>;
    Pattern pattern;
    pattern.rows_.resize(1);
    std::vector<Pair> pairs(1);
    std::map<Pair, Pattern::State> states;
    const auto state_of = [&](Pair pair) {
      if (pair.first == Pattern::nowhere || pair.second == Pattern::nowhere) return Pattern::nowhere;
      const auto [found, is_new] = states.try_emplace(pair, static_cast<Pattern::State>(pairs.size()));
      if (is_new) {
        pairs.push_back(pair);
        pattern.rows_.emplace_back();
      }
      return found->second;
    };
    state_of({Pattern::start, Pattern::start});
    for (std::size_t at = Pattern::start; at < pairs.size(); ++at) {
      if (pairs.size() > most_states) return std::nullopt;
      const auto [one, other] = pairs[at];
      for (std::size_t byte = 0; byte < 256; ++byte) {
        const auto to = state_of({a.rows_[one].next[byte], b.rows_[other].next[byte]});
        pattern.rows_[at].next[byte] = to;
      }
      if (a.accepts(one) && b.accepts(other)) pattern.rows_[at].left = 0;
    }
    find_costs(pattern.rows_);
    return pattern;
  }

 private:
  using Ids = std::vector<Nondeterministic::Id>;
  struct Subset {
    Ids nodes{};
    std::uint32_t characters{};

    auto operator<=>(const Subset&) const = default;
  };

  void find_alike() {
    std::map<std::vector<bool>, unsigned> first;
    for (unsigned byte = 0; byte < 256; ++byte) {
      std::vector<bool> leads(nodes_.size());
      for (Nondeterministic::Id id = 0; id < nodes_.size(); ++id) leads[id] = nodes_[id].bytes[byte];
      alike_[byte] = first.try_emplace(std::move(leads), byte).first->second;
    }
  }

  Ids closed(const Ids& ids) const {
    std::vector<bool> seen(nodes_.size());
    Ids out;
    for (const auto id : ids) nodes_.close(id, seen, out);
    std::ranges::sort(out);
    return out;
  }

  std::size_t state_of(Subset subset) {
    const auto [found, is_new] = states_.try_emplace(std::move(subset), subsets_.size());
    if (is_new) {
      subsets_.push_back(&found->first);
      pattern_.rows_.emplace_back();
    }
    return found->second;
  }

  void add_row(Pattern::State state) {
    const auto& subset = *subsets_[state];
    Ids targets;
    for (unsigned byte = 0; byte < 256; ++byte) {
      if (alike_[byte] != byte) {
        pattern_.rows_[state].next[byte] = pattern_.rows_[state].next[alike_[byte]];
        continue;
      }
      targets.clear();
      bool ends_character = false;
      for (const auto id : subset.nodes) {
        if (!nodes_[id].bytes[byte]) continue;
        targets.push_back(nodes_[id].next);
        ends_character = nodes_[id].ends_character;  // the same for all: bytes tell where a character ends
      }
      const auto reached = targets.empty() ? Pattern::nowhere : reach(subset, targets, ends_character);
      pattern_.rows_[state].next[byte] = static_cast<Pattern::State>(reached);
    }
    const bool long_enough = subset.characters >= length_.least;
    if (long_enough && std::ranges::find(subset.nodes, Nondeterministic::end) != subset.nodes.end()) {
      pattern_.rows_[state].left = 0;
    }
  }

  std::size_t reach(const Subset& from, const Ids& targets, bool ends_character) {
    auto characters = from.characters + (ends_character ? 1U : 0U);
    if (characters > length_.most) return Pattern::nowhere;
    if (length_.most == StringLength().most) characters = std::min(characters, length_.least);
    return state_of({.nodes = closed(targets), .characters = characters});
  }

  /// From the ends of strings backwards; what leads to no end is nowhere.
  static void find_costs(std::vector<Pattern::Row>& rows) {
    std::vector<std::vector<Pattern::State>> sources(rows.size());
    std::vector<Pattern::State> open;
    for (std::size_t at = 1; at < rows.size(); ++at) {
      const auto state = static_cast<Pattern::State>(at);
      if (rows[at].left == 0) open.push_back(state);
      for (const auto to : rows[at].next) {
        if (sources[to].empty() || sources[to].back() != state) sources[to].push_back(state);
      }
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
      for (const auto source : sources[open[i]]) {
        if (rows[source].left < unreachable) continue;
        rows[source].left = rows[open[i]].left + 1;
        open.push_back(source);
      }
    }
    for (auto& row : rows) {
      for (auto& to : row.next) {
        if (rows[to].left == unreachable) to = Pattern::nowhere;
      }
    }
  }

  const Nondeterministic& nodes_;
  StringLength length_;
  std::size_t most_states_;
  std::array<unsigned, 256> alike_{};  ///< the first byte that leads out of the same nodes
  Pattern pattern_;
  std::map<Subset, std::size_t> states_;
  std::vector<const Subset*> subsets_;
};

std::variant<Pattern, std::string> Pattern::compile(std::string_view regex, StringLength length,
                                                    std::size_t most_states, std::size_t* work) {
  if (most_states == 0) return std::string(too_complex);
  std::size_t ignored = 0;
  auto& spent = work != nullptr ? *work : ignored;
  spent += 1 + regex.size() / characters_per_state;
  auto parsed = Regex::parse(regex);
  if (auto* fault = std::get_if<std::string>(&parsed)) return std::move(*fault);
  const auto& tree = std::get<Regex>(parsed);
  const bool is_one = tree.kind != Regex::Kind::all;
  std::vector<Nondeterministic> parts;
  std::size_t nodes_in_all = 0;
  for (const auto& part : is_one ? std::span(&tree, 1) : std::span(tree.parts)) {
    parts.emplace_back(part);
    nodes_in_all += parts.back().size();
    if (parts.back().too_large() || nodes_in_all > most_nodes) return std::string(too_large);
  }
  most_states = std::min<std::size_t>(most_states, std::numeric_limits<State>::max());
  const auto build = [&](std::uint32_t most) {
    std::optional<Pattern> whole;
    auto left = most_states;  // for all parts, and for what is made of them
    const auto spend = [&](std::size_t states) {
      spent += states;
      left -= std::min(left, states);
    };
    for (const auto& nodes : parts) {
      const bool counts = &nodes == &parts.back();  // one is enough
      const StringLength allowed{length.least, std::min(length.most, most)};
      PatternBuilder builder(nodes, counts ? allowed : StringLength(), left);
      auto pattern = builder.build();
      spend(builder.states());
      if (whole && pattern) {
        pattern = PatternBuilder::both(*whole, *pattern, left);
        spend(pattern ? pattern->states() : left);
      }
      whole = std::move(pattern);
      if (!whole) break;
    }
    return whole;
  };
  const bool is_limited = length.most < StringLength().most;
  for (const auto most : {usual_length, long_length}) {
    auto pattern = build(is_limited ? std::max(most, length.least) : StringLength().most);
    if (!pattern) return std::string(too_complex);
    if (pattern->left(start) < unreachable) return *std::move(pattern);
  }
  return std::string(unmatched);
}

}  // namespace inferwire::inline v0_1::engine
