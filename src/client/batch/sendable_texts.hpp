/// \file
/// The texts of a batch that can be sent: those that are UTF-8. The others would fail a whole request.
#pragma once

#include "client/batch/slice.hpp"
#include "json/text.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::client {

/// Numbers the texts that can be sent from 0, in order: slices of a batch consist of these numbers.
class SendableTexts {
 public:
  /// `all` must outlive it.
  explicit SendableTexts(std::span<const std::string_view> all) : texts_(all) {
    if (std::ranges::all_of(all, &is_sendable)) return;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (is_sendable(all[i])) {
        kept_.push_back(all[i]);
        places_.push_back(i);
      } else {
        left_out_.push_back(i);
      }
    }
    texts_ = kept_;
  }
  SendableTexts(const SendableTexts&) = delete;
  SendableTexts& operator=(const SendableTexts&) = delete;

  std::span<const std::string_view> texts() const noexcept { return texts_; }
  /// The places of the others among all texts.
  const std::vector<std::size_t>& left_out() const noexcept { return left_out_; }
  /// The place of text number `number` among all texts.
  std::size_t place(std::size_t number) const noexcept { return places_.empty() ? number : places_[number]; }
  /// The first part of a slice, which is not empty, whose texts are side by side among all texts.
  Slice side_by_side(const Slice& slice) const noexcept {
    Slice part{slice.first};
    while (part.count < slice.count && place(part.first + part.count) == place(part.first) + part.count) {
      ++part.count;
    }
    return part;
  }

 private:
  static bool is_sendable(std::string_view text) noexcept {
    return json::invalid_utf8(text) == std::string_view::npos;
  }

  std::span<const std::string_view> texts_;
  // Empty if all texts can be sent.
  std::vector<std::string_view> kept_;
  std::vector<std::size_t> places_;
  std::vector<std::size_t> left_out_;
};

}  // namespace inferwire::inline v0_1::client
