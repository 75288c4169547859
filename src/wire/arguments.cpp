#include "wire/arguments.hpp"

namespace inferwire::inline v0_1::wire {

Result<Json> parsed_arguments(std::string_view name, std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return Json::raw("{}");
  auto parsed = Json::parse(text);
  if (parsed && parsed->is_object()) return parsed;
  return Error{.kind = ErrorKind::tool,
               .detail = "the arguments of '" + std::string(name) + "' are not a JSON object" +
                         (parsed ? "" : ": " + parsed.error().detail),
               .body = std::string(text)};
}

void mend_arguments(std::string& text) {
  const auto parsed = Json::parse(text);
  if (!parsed || !parsed->is_object()) text = "{}";
}

}  // namespace inferwire::inline v0_1::wire
