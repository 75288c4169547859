/// \file
/// Bytes as text for requests: images, sounds, files.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "inferwire/export.hpp"

namespace inferwire::inline v0_1 {

/// The bytes in base64: what `chat::InputAudio::data` takes.
INFERWIRE_API std::string to_base64(std::string_view bytes);
inline std::string to_base64(std::span<const std::byte> bytes) {
  return to_base64(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

/// "data:image/png;base64,..." of the media type "image/png": what `chat::ImageUrl::url`,
/// `chat::File::file_data`, `responses::InputImage::image_url` and `responses::InputFile::file_data` take.
INFERWIRE_API std::string data_uri(std::string_view media_type, std::string_view bytes);
inline std::string data_uri(std::string_view media_type, std::span<const std::byte> bytes) {
  return data_uri(media_type, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace inferwire::inline v0_1
