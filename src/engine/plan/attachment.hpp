/// \file
/// Images, sounds and files in messages. The bundled model cannot see or hear: it reads a short mark, always
/// the same, for an image or a sound, and for a file its name and, if it is plain text, its content.
#pragma once

#include "engine/document.hpp"
#include "engine/refusal.hpp"
#include "inferwire/response_items.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// Checks that the text at `place` has a documented form of an image: a URL, a data URI of an image, or its
/// bytes in base64.
std::optional<Refusal> check_image(std::string_view text, const Place& place);
/// Checks that it is a data URI in base64 with its media type in front: "data:application/pdf;base64,...".
std::optional<Refusal> check_file_data(std::string_view text, const Place& place);
/// Checks that it has the form of a sound: its bytes in base64.
std::optional<Refusal> check_sound(std::string_view text, const Place& place);

/// What the model reads in place of attachments.
inline constexpr std::string_view image_mark = "[image]";
inline constexpr std::string_view sound_mark = "[audio]";
std::string read_file(const responses::InputFile& file);

}  // namespace inferwire::inline v0_1::engine
