#include "client/call/conceal.hpp"

#include "client/thrown.hpp"
#include "protocol/headers.hpp"
#include "protocol/redact.hpp"

namespace inferwire::inline v0_1::client {

void Concealer::conceal(std::string& text) const {
  if (text.empty()) return;
  try {
    core_.credential().conceal(text);
  } catch (...) {  // from a custom credential: text that it did not fully examine is not shown
    text = thrown_by("the credential");
  }
  for (const auto& [name, value] : request_.headers) {
    if (protocol::is_secret_header(name)) protocol::conceal_value(text, value);
  }
  if (keys_) {
    for (const auto& key : *keys_) protocol::conceal_value(text, key.reveal());
  }
  protocol::conceal_parameters(text, request_.url);
}

void Concealer::conceal(Error& error) const {
  // Names every member: adding one breaks the build here, so that its author decides whether a server can
  // write it.
  auto& [kind, cause, detail, status, code, type, param, path, timer, provider, url, request_id,
         request_id_header, retry_after, retryable, original_status, original_code, body, attempts] = error;
  for (auto* text : {&detail, &code, &type, &param, &path, &url, &request_id, &original_code, &body}) {
    conceal(*text);
  }
}

}  // namespace inferwire::inline v0_1::client
