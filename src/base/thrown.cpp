#include "base/thrown.hpp"

#include <exception>
#include <new>

namespace inferwire::inline v0_1 {

namespace {

std::string told_by(std::string_view who) {
  auto text = std::string(who) + " threw";
  try {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    (text += ": ") += error.what();
  } catch (...) {  // it has no message
  }
  return text;
}

}  // namespace

std::string thrown_by(std::string_view who) noexcept {
  try {
    return told_by(who);
  } catch (...) {
    return std::string(no_memory);
  }
}

}  // namespace inferwire::inline v0_1
