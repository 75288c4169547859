#include "auth/fetch/form.hpp"

#include "base/percent.hpp"

#include <utility>

namespace inferwire::inline v0_1::auth {

std::string form_encode(const Form& form) {
  std::string text;
  for (const auto& [name, value] : form) {
    if (!text.empty()) text += '&';
    text += percent_encode_segment(name) + "=" + percent_encode_segment(value);
  }
  return text;
}

HttpRequest post_form(std::string url, const Form& form) {
  return {.url = std::move(url),
          .headers = {{"Content-Type", "application/x-www-form-urlencoded"}, {"Accept", "application/json"}},
          .body = form_encode(form)};
}

}  // namespace inferwire::inline v0_1::auth
