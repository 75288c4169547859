#include "base/thrown.hpp"

#include <exception>

namespace inferwire::inline v0_1 {

std::string thrown_by(std::string_view who) {
  auto text = std::string(who) + " threw";
  try {
    throw;
  } catch (const std::exception& error) {
    (text += ": ") += error.what();
  } catch (...) {  // it has no message
  }
  return text;
}

}  // namespace inferwire::inline v0_1
