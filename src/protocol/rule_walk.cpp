#include "protocol/rule_walk.hpp"

namespace inferwire::inline v0_1::protocol {

std::string Place::text() const {
  if (above == nullptr) return std::string(name);
  auto out = above->text();
  if (name.empty()) return out + "[" + std::to_string(index) + "]";
  if (!out.empty()) out += '.';
  return out += name;
}

}  // namespace inferwire::inline v0_1::protocol
