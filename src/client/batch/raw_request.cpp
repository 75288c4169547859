// Raw requests made of structs.
#include "client/batch/client_access.hpp"
#include "client/resources/resource.hpp"
#include "client/unsent.hpp"
#include "inferwire/batch.hpp"

#include <utility>

namespace inferwire::inline v0_1 {

namespace client {

namespace {

template <class Request>
Result<RawRequest> raw_request_of(const Client& client, const Request& request, const CallOptions& options) {
  const auto& core = detail::ClientAccess::core(client);
  if (!core) return moved_from();
  auto draft = draft_of(*core, request, AnswerForm::whole, options);
  if (!draft) return unsent(core, std::move(draft).error());
  return RawRequest{.path = std::move(draft->path), .body = Json::raw(*std::move(draft->body))};
}

}  // namespace

}  // namespace client

Result<RawRequest> raw_request(const Client& client, const chat::Request& request,
                               const CallOptions& options) {
  return client::raw_request_of(client, request, options);
}
Result<RawRequest> raw_request(const Client& client, const completions::Request& request,
                               const CallOptions& options) {
  return client::raw_request_of(client, request, options);
}
Result<RawRequest> raw_request(const Client& client, const responses::Request& request,
                               const CallOptions& options) {
  return client::raw_request_of(client, request, options);
}

}  // namespace inferwire::inline v0_1
