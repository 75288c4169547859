#include "client/conceal.hpp"

#include "client/thrown.hpp"
#include "protocol/headers.hpp"
#include "protocol/redact.hpp"

namespace inferwire::inline v0_1::client {

void conceal(detail::Core& core, const HttpRequest& request, std::string& text) {
  if (text.empty()) return;
  try {
    core.credential().conceal(text);
  } catch (...) {  // one of the user's: what it did not look at to the end is not shown
    text = thrown_by("the credential");
  }
  for (const auto& [name, value] : request.headers) {
    if (protocol::is_secret_header(name)) protocol::conceal_value(text, value);
  }
}

void conceal(detail::Core& core, const HttpRequest& request, Error& error) {
  for (auto* text : {&error.detail, &error.code, &error.type, &error.param, &error.path, &error.request_id,
                     &error.original_code, &error.body}) {
    conceal(core, request, *text);
  }
}

}  // namespace inferwire::inline v0_1::client
