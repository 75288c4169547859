#include "engine/plan/rule_check.hpp"

#include "protocol/rules/rule_walk.hpp"

#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

class DocumentNode {
 public:
  DocumentNode(const Document& value) : value_(&value) {}

  protocol::NodeKind kind() const { return node_kind(*value_); }
  double number() const { return value_->get<double>(); }
  std::string string() const { return value_->get<std::string>(); }
  std::string print() const { return value_->dump(); }
  template <class Visit>
  void each_member(Visit visit) const {
    for (const auto& item : value_->items()) visit(item.key(), DocumentNode(item.value()));
  }
  template <class Visit>
  void each_element(Visit visit) const {
    for (std::size_t i = 0; i < value_->size(); ++i) visit(i, DocumentNode((*value_)[i]));
  }

 private:
  const Document* value_;
};

Refusal refusal_of(protocol::Offence offence) {
  switch (offence.fault) {
    case protocol::Fault::unknown_member:
      return refuse::unknown_member(std::move(offence.place), offence.got);
    case protocol::Fault::missing: return refuse::missing(std::move(offence.place));
    case protocol::Fault::wrong_type:
      return refuse::wrong_type(std::move(offence.place), offence.expected, offence.got);
    case protocol::Fault::unsupported:
      return refuse::unsupported(std::move(offence.place), "is not supported");
    case protocol::Fault::invalid_value: break;
  }
  return refuse::invalid_value(std::move(offence.place), offence.problem);
}

}  // namespace

std::optional<Refusal> check_rules(const Document& document, std::span<const protocol::Rule> rules,
                                   protocol::Speaker speaker) {
  auto offence = protocol::RuleWalk<DocumentNode>::check(document, rules, speaker,
                                                         {protocol::refuses_unknown_members(speaker), true});
  if (!offence) return std::nullopt;
  return refusal_of(*std::move(offence));
}

}  // namespace inferwire::inline v0_1::engine
