/// \file
/// Images, sounds and files in messages. The bundled model cannot see or hear: it reads a short mark, always
/// the same, for an image or a sound, and for a file its name and, if it is plain text, its content.
#pragma once

#include "inferwire/response_items.hpp"

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// Whether `text` has a documented form of an image: a URL, a data URI of an image, or its bytes in base64.
bool is_image(std::string_view text);
inline constexpr std::string_view no_image = "expected a URL, a data URI of an image, or its bytes in base64";

/// Whether `text` is a data URI in base64 with its media type in front: "data:application/pdf;base64,...".
bool is_file_data(std::string_view text);

inline constexpr std::string_view no_file_data =
    "expected a data URI, such as 'data:application/pdf;base64,...'";

/// Whether `text` has the form of a sound: its bytes in base64.
bool is_sound(std::string_view text);

/// What the model reads in place of attachments.
inline constexpr std::string_view image_mark = "[image]";
inline constexpr std::string_view sound_mark = "[audio]";
std::string read_file(const responses::InputFile& file);

}  // namespace inferwire::inline v0_1::engine
