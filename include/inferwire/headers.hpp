/// \file
/// The headers of HTTP messages.
#pragma once

#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1 {

/// A header to send.
struct Header {
  std::string name{};
  std::string value{};

  friend bool operator==(const Header&, const Header&) = default;
};

/// The headers of an answer in their order, stored in one buffer, since an answer has many headers and most
/// are never read.
class INFERWIRE_API Headers {
 public:
  /// A header; the views are valid until the Headers are changed.
  struct Item {
    std::string_view name{};
    std::string_view value{};

    friend bool operator==(const Item&, const Item&) = default;
  };

  Headers() = default;
  Headers(std::initializer_list<Header> headers);
  Headers(const std::vector<Header>& headers);

  void add(std::string_view name, std::string_view value);
  /// Adds a header as it stands in a message's head, "name: value", without its line end. False, and nothing
  /// is added, if it has no colon or no name.
  bool add_line(std::string_view line);
  /// Appends to the value of the last header; there must be one.
  void append(std::string_view more);
  /// Removes all headers; the memory is kept.
  void clear() noexcept;

  std::size_t size() const noexcept { return places_.size(); }
  bool empty() const noexcept { return places_.empty(); }
  /// `index` < size().
  Item operator[](std::size_t index) const noexcept INFERWIRE_LIFETIMEBOUND;
  /// The value of the first header called `name` (case-insensitive); absent if there is none.
  Optional<std::string_view> find(std::string_view name) const INFERWIRE_LIFETIMEBOUND;

  class iterator {
   public:
    using iterator_concept = std::forward_iterator_tag;
    using iterator_category = std::input_iterator_tag;
    using value_type = Item;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Item;

    iterator() = default;
    Item operator*() const noexcept { return (*headers_)[index_]; }
    iterator& operator++() noexcept {
      ++index_;
      return *this;
    }
    iterator operator++(int) noexcept {
      auto before = *this;
      ++index_;
      return before;
    }
    friend bool operator==(const iterator&, const iterator&) = default;

   private:
    friend class Headers;
    iterator(const Headers& headers, std::size_t index) noexcept : headers_(&headers), index_(index) {}

    const Headers* headers_{};
    std::size_t index_{};
  };
  iterator begin() const noexcept { return {*this, 0}; }
  iterator end() const noexcept { return {*this, size()}; }

  INFERWIRE_API friend bool operator==(const Headers&, const Headers&);

 private:
  /// A header's places in the text. It begins where the one before it ends.
  struct Place {
    std::uint32_t name_end;
    std::uint32_t value_begin;
    std::uint32_t end;
  };

  std::string text_{};  // the headers one after the other, whatever stands between a name and its value
  std::vector<Place> places_{};
};

/// The value of the first header called `name` (case-insensitive); absent if there is none.
INFERWIRE_API Optional<std::string_view> find_header(
    const std::vector<Header>& headers INFERWIRE_LIFETIMEBOUND, std::string_view name);
inline Optional<std::string_view> find_header(const Headers& headers INFERWIRE_LIFETIMEBOUND,
                                              std::string_view name) {
  return headers.find(name);
}

}  // namespace inferwire::inline v0_1
