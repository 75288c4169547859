#include "engine/constraint/pattern.hpp"

#include "engine/constraint/nfa.hpp"
#include "engine/constraint/regex.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

/// Parsing this many characters of an expression takes as long as making a state.
constexpr std::size_t characters_per_state = 16;
/// This many visits of nodes count as a state. Sensible expressions take about a hundred for each.
constexpr std::size_t visits_per_state = 2'000;
/// Caps on the length of strings that have a limit, since counting takes states; the second is tried if no
/// string is that short.
constexpr std::uint32_t usual_length = 64, long_length = 512;

}  // namespace

/// Makes an automaton deterministic: its states are sets of nodes that it may be in at once. States count
/// the characters of a string as far as it matters: to the minimum, or to the maximum if there is one.
class SubsetConstruction {
 public:
  SubsetConstruction(const Nfa& nodes, StringLength length, std::size_t most_states)
      : nodes_(nodes), length_(length), most_states_(most_states) {}

  /// Nothing if there are too many states.
  std::optional<Pattern> build() {
    pattern_.rows_.resize(1);  // nowhere
    subsets_.emplace_back();
    const auto start = state_of({.nodes = nodes_.closure({nodes_.start()})});
    for (std::size_t at = start; at < subsets_.size(); ++at) {
      if (work() > most_states_) return std::nullopt;
      add_row(static_cast<Pattern::State>(at));
    }
    pattern_.find_costs();
    return std::move(pattern_);
  }
  /// The number of states, and of those that take as long as finding where they lead.
  std::size_t work() const { return subsets_.size() + visits_ / visits_per_state; }

 private:
  struct Subset {
    Nfa::Ids nodes{};
    std::uint32_t characters{};

    // Vectors of libc++ 16 have no <=>.
    friend bool operator<(const Subset& a, const Subset& b) {
      return std::tie(a.nodes, a.characters) < std::tie(b.nodes, b.characters);
    }
  };

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
    Nfa::Ids targets;
    for (unsigned byte = 0; byte < 256; ++byte) {
      if (byte_classes_[byte] != byte) {
        pattern_.rows_[state].next[byte] = pattern_.rows_[state].next[byte_classes_[byte]];
        continue;
      }
      targets.clear();
      bool ends_character = false;
      visits_ += subset.nodes.size();
      for (const auto id : subset.nodes) {
        if (!nodes_[id].bytes[byte]) continue;
        targets.push_back(nodes_[id].next);
        ends_character = nodes_[id].ends_character;  // equal for all: bytes determine where a character ends
      }
      const auto reached = targets.empty() ? Pattern::nowhere : reach(subset, targets, ends_character);
      pattern_.rows_[state].next[byte] = static_cast<Pattern::State>(reached);
    }
    const bool long_enough = subset.characters >= length_.least;
    if (long_enough && std::ranges::find(subset.nodes, Nfa::end) != subset.nodes.end()) {
      pattern_.rows_[state].left = 0;
    }
  }

  std::size_t reach(const Subset& from, const Nfa::Ids& targets, bool ends_character) {
    auto characters = from.characters + (ends_character ? 1U : 0U);
    if (characters > length_.most) return Pattern::nowhere;
    if (length_.most == StringLength().most) characters = std::min(characters, length_.least);
    auto nodes = nodes_.closure(targets);
    visits_ += nodes.size();
    return state_of({.nodes = std::move(nodes), .characters = characters});
  }

  const Nfa& nodes_;
  StringLength length_;
  std::size_t most_states_;
  std::size_t visits_{};
  std::array<unsigned, 256> byte_classes_{nodes_.byte_classes()};
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
  std::vector<Nfa> parts;
  std::size_t nodes_in_all = 0;
  for (const auto& part : is_one ? std::span(&tree, 1) : std::span(tree.parts)) {
    parts.emplace_back(part);
    nodes_in_all += parts.back().size();
    if (parts.back().too_large() || nodes_in_all > Nfa::most_nodes) return std::string(too_large);
  }
  most_states = std::min<std::size_t>(most_states, std::numeric_limits<State>::max());
  const auto build = [&](std::uint32_t most) {
    std::optional<Pattern> whole;
    auto left = most_states;  // for all parts and their products
    const auto spend = [&](std::size_t states) {
      spent += states;
      left -= std::min(left, states);
    };
    for (const auto& nodes : parts) {
      const bool counts = &nodes == &parts.back();  // one that counts is enough
      const StringLength allowed{length.least, std::min(length.most, most)};
      SubsetConstruction construction(nodes, counts ? allowed : StringLength(), left);
      auto pattern = construction.build();
      spend(construction.work());
      if (whole && pattern) {
        pattern = product(*whole, *pattern, left);
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

std::optional<Pattern> Pattern::product(const Pattern& a, const Pattern& b, std::size_t most_states) {
  using Pair = std::pair<State, State>;
  Pattern pattern;
  pattern.rows_.resize(1);
  std::vector<Pair> pairs(1);
  std::map<Pair, State> states;
  const auto state_of = [&](Pair pair) {
    if (pair.first == nowhere || pair.second == nowhere) return nowhere;
    const auto [found, is_new] = states.try_emplace(pair, static_cast<State>(pairs.size()));
    if (is_new) {
      pairs.push_back(pair);
      pattern.rows_.emplace_back();
    }
    return found->second;
  };
  state_of({start, start});
  for (std::size_t at = start; at < pairs.size(); ++at) {
    if (pairs.size() > most_states) return std::nullopt;
    const auto [one, other] = pairs[at];
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const auto to = state_of({a.rows_[one].next[byte], b.rows_[other].next[byte]});
      pattern.rows_[at].next[byte] = to;
    }
    if (a.accepts(one) && b.accepts(other)) pattern.rows_[at].left = 0;
  }
  pattern.find_costs();
  return pattern;
}

void Pattern::find_costs() {
  std::vector<std::vector<State>> sources(rows_.size());
  std::vector<State> open;
  for (std::size_t at = 1; at < rows_.size(); ++at) {
    const auto state = static_cast<State>(at);
    if (rows_[at].left == 0) open.push_back(state);
    for (const auto to : rows_[at].next) {
      if (sources[to].empty() || sources[to].back() != state) sources[to].push_back(state);
    }
  }
  for (std::size_t i = 0; i < open.size(); ++i) {
    for (const auto source : sources[open[i]]) {
      if (rows_[source].left < unreachable) continue;
      rows_[source].left = rows_[open[i]].left + 1;
      open.push_back(source);
    }
  }
  for (auto& row : rows_) {
    for (auto& to : row.next) {
      if (rows_[to].left == unreachable) to = nowhere;
    }
  }
}

}  // namespace inferwire::inline v0_1::engine
