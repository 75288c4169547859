/// \file
/// A key or token that is never printed.
#pragma once

#include "inferwire/export.hpp"

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace inferwire::inline v0_1 {

/// Holds a key or token. It can be neither printed nor compared, and its memory is wiped when it is
/// destroyed. The text is accessible only through `reveal()`, so that a search for that name finds every use.
class INFERWIRE_API Secret {
 public:
  Secret() = default;
  Secret(std::string text) : text_(std::move(text)) {}
  template <class View>
    requires std::is_same_v<View, std::string_view>
  Secret(View text) : text_(text) {}
  /// Empty for nullptr, as returned by std::getenv.
  Secret(const char* text) : text_(text != nullptr ? text : "") {}
  Secret(const Secret&) = default;
  Secret(Secret&& other) noexcept;
  Secret& operator=(const Secret& other);
  Secret& operator=(Secret&& other) noexcept;
  ~Secret() { wipe(); }

  bool empty() const noexcept { return text_.empty(); }
  /// The text, valid as long as this object is not changed.
  std::string_view reveal() const noexcept INFERWIRE_LIFETIMEBOUND { return text_; }

 private:
  void wipe() noexcept;

  std::string text_;
};

}  // namespace inferwire::inline v0_1
