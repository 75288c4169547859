#include "engine/constraint/nfa.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

/// The most calls for one expression: `most_nodes` does not stop repeated empty parts, which add no nodes.
constexpr std::size_t most_calls_of_construction = 50'000;

/// A character as written in a JSON string.
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

}  // namespace

Nfa::Nfa(const Regex& regex) { start_ = add(regex, add_node({})); }

bool Nfa::too_large() const { return nodes_.size() > most_nodes || calls_ > most_calls_of_construction; }

Nfa::Ids Nfa::closure(Ids ids) const {
  std::vector<bool> seen(nodes_.size());
  Ids out;
  while (!ids.empty()) {
    const auto at = ids.back();
    ids.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    const auto& forks = nodes_[at].forks;
    if (forks.empty()) out.push_back(at);
    ids.insert(ids.end(), forks.begin(), forks.end());
  }
  std::ranges::sort(out);
  return out;
}

std::array<unsigned, 256> Nfa::byte_classes() const {
  std::array<unsigned, 256> classes{};
  std::map<std::vector<bool>, unsigned> first;
  for (unsigned byte = 0; byte < 256; ++byte) {
    std::vector<bool> leads(nodes_.size());
    for (Id id = 0; id < nodes_.size(); ++id) leads[id] = nodes_[id].bytes[byte];
    classes[byte] = first.try_emplace(std::move(leads), byte).first->second;
  }
  return classes;
}

Nfa::Id Nfa::add_node(Node node) {
  nodes_.push_back(std::move(node));
  return static_cast<Id>(nodes_.size() - 1);
}

Nfa::Id Nfa::add(const Regex& regex, Id next) {
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
    case Regex::Kind::all:  // built of several automata
    case Regex::Kind::sequence: break;
  }
  for (auto part = regex.parts.rbegin(); part != regex.parts.rend(); ++part) next = add(*part, next);
  return next;
}

Nfa::Id Nfa::add_repeat(const Regex& regex, Id next) {
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

Nfa::Id Nfa::add_characters(const std::u32string& characters, Id next) {
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
  // An empty set of characters: a node that no byte leads out of.
  return fork.forks.empty() ? add_node({}) : add_node(std::move(fork));
}

}  // namespace inferwire::inline v0_1::engine
