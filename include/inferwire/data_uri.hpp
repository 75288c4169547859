/// \file
/// Binary data as text for requests: images, audio, files.
#pragma once

#include "inferwire/export.hpp"

#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace inferwire::inline v0_1 {

namespace detail {

template <class T>
inline constexpr bool is_byte = std::is_same_v<T, unsigned char> || std::is_same_v<T, char>;

/// Bytes in a container: a std::vector<unsigned char>, a std::span<const std::uint8_t>, an array.
template <class T>
concept Bytes = !std::is_convertible_v<const T&, std::string_view> && requires(const T& bytes) {
  std::size(bytes);
  requires is_byte<std::remove_cvref_t<decltype(*std::data(bytes))>>;
};

template <Bytes T>
std::span<const std::byte> bytes_of(const T& bytes) {
  return std::as_bytes(std::span(std::data(bytes), std::size(bytes)));
}

}  // namespace detail

/// The bytes in base64, as `chat::InputAudio::data` takes them. Takes a string, or any contiguous container
/// of `unsigned char`, `std::byte` or `char`.
INFERWIRE_API std::string to_base64(std::string_view bytes);
inline std::string to_base64(std::span<const std::byte> bytes) {
  return to_base64(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}
std::string to_base64(const detail::Bytes auto& bytes) { return to_base64(detail::bytes_of(bytes)); }

/// A data URI, such as "data:image/png;base64,..." for the media type "image/png": for `chat::ImageUrl::url`,
/// `chat::File::file_data`, `responses::InputImage::image_url` and `responses::InputFile::file_data`.
INFERWIRE_API std::string data_uri(std::string_view media_type, std::string_view bytes);
inline std::string data_uri(std::string_view media_type, std::span<const std::byte> bytes) {
  return data_uri(media_type, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}
std::string data_uri(std::string_view media_type, const detail::Bytes auto& bytes) {
  return data_uri(media_type, detail::bytes_of(bytes));
}

}  // namespace inferwire::inline v0_1
