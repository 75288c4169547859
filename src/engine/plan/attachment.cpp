#include "engine/plan/attachment.hpp"

#include "json/base64.hpp"

namespace inferwire::inline v0_1::engine {
namespace {

struct DataUri {
  std::string_view media_type{};
  std::string_view base64{};
};

/// The parts of "data:<media type>[;parameters];base64,<data>"; std::nullopt for anything else.
std::optional<DataUri> data_uri_of(std::string_view text) {
  constexpr std::string_view scheme = "data:", encoding = ";base64,";
  const auto mark = text.find(encoding);
  if (!text.starts_with(scheme) || mark == text.npos) return std::nullopt;
  const auto type = text.substr(scheme.size(), mark - scheme.size());
  if (type.find('/') == type.npos) return std::nullopt;
  return DataUri{type, text.substr(mark + encoding.size())};
}

bool is_base64(std::string_view text) { return !text.empty() && json::base64_decode(text); }

bool is_url(std::string_view text) {
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (text.starts_with(scheme)) return text.size() > scheme.size();
  }
  return false;
}

}  // namespace

std::optional<Refusal> check_image(std::string_view text, const Place& place) {
  const auto uri = data_uri_of(text);
  const bool is_image_uri = uri && uri->media_type.starts_with("image/") && is_base64(uri->base64);
  if (is_image_uri || is_url(text) || is_base64(text)) return std::nullopt;
  return refuse::invalid_value(place.text(),
                               "expected a URL, a data URI of an image, or its bytes in base64");
}

std::optional<Refusal> check_file_data(std::string_view text, const Place& place) {
  const auto uri = data_uri_of(text);
  if (uri && is_base64(uri->base64)) return std::nullopt;
  return refuse::invalid_value(place.text(),
                               "expected a data URI, such as 'data:application/pdf;base64,...'");
}

std::optional<Refusal> check_sound(std::string_view text, const Place& place) {
  if (is_base64(text)) return std::nullopt;
  return refuse::invalid_value(place.text(), "expected bytes in base64");
}

std::string read_file(const responses::InputFile& file) {
  const auto name = file.filename ? *file.filename : file.file_id.value_or("");
  auto text = name.empty() ? std::string("[file]") : "[file " + name + "]";
  if (!file.file_data) return text;
  const auto uri = data_uri_of(*file.file_data);
  if (!uri || !uri->media_type.starts_with("text/")) return text;
  return text + "\n" + json::base64_decode(uri->base64).value_or("");
}

}  // namespace inferwire::inline v0_1::engine
