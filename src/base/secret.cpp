#include "inferwire/secret.hpp"

namespace inferwire::inline v0_1 {

void Secret::wipe() noexcept {
  // Through a volatile pointer, so that the compiler may not drop stores to memory that is about to be freed.
  text_.resize(text_.capacity());
  volatile char* bytes = text_.data();
  for (std::size_t i = 0; i < text_.size(); ++i) bytes[i] = '\0';
  text_.clear();
}

Secret::Secret(Secret&& other) noexcept : text_(std::move(other.text_)) { other.wipe(); }

Secret& Secret::operator=(const Secret& other) {
  if (this != &other) {
    wipe();
    text_ = other.text_;
  }
  return *this;
}

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this != &other) {
    wipe();
    text_ = std::move(other.text_);
    other.wipe();
  }
  return *this;
}

}  // namespace inferwire::inline v0_1
