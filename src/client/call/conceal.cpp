#include "client/call/conceal.hpp"

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
  protocol::conceal_parameters(text, request.url);
}

void conceal(detail::Core& core, const HttpRequest& request, Error& error) {
  // Every member by its name: with a new one this does not compile, and whoever adds it says here whether a
  // server writes it.
  auto& [kind, detail, status, code, type, param, path, timer, provider, request_id, request_id_header,
         retry_after, retryable, original_status, original_code, body, attempts] = error;
  for (auto* text : {&detail, &code, &type, &param, &path, &request_id, &original_code, &body}) {
    conceal(core, request, *text);
  }
}

}  // namespace inferwire::inline v0_1::client
