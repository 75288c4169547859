#include "json/place.hpp"

namespace inferwire::inline v0_1::json {

std::string Place::text() const {
  if (above == nullptr) return std::string(name);
  auto out = above->text();
  if (index != no_element) return out + "[" + std::to_string(index) + "]";
  if (!out.empty()) out += '.';
  return out += name;
}

}  // namespace inferwire::inline v0_1::json
