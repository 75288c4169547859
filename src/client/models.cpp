#include "inferwire/models.hpp"

#include "client/pending_job.hpp"
#include "client/resource.hpp"
#include "inferwire/client.hpp"
#include "json/scanner.hpp"
#include "wire/documents.hpp"

namespace inferwire::inline v0_1::models {
namespace {

Result<HttpRequest> list_request(detail::Core& core, const CallOptions& options) {
  return core.request(core.provider().models, {}, std::nullopt, false, options);
}

Result<HttpRequest> retrieve_request(detail::Core& core, const std::string& name,
                                     const CallOptions& options) {
  auto route = core.provider().models;
  if (!route.path.empty()) route.path += "/{model}";
  return core.request(route, name, std::nullopt, false, options);
}

/// Together's list has no object around it.
bool decode_list(json::Decoder& decoder, std::string_view text, List& list, Error& problem) {
  if (!json::trim(text).starts_with('[')) return client::decode_document(decoder, text, list, problem);
  const auto object = "{\"data\":" + std::string(text) + "}";
  return decoder.decode_copy(object, &list, json::describe<List>(), json::Reading::tolerant, problem);
}

auto list_reader() {
  return [](const client::WholeAnswer& answer) { return client::read_document<List>(answer, &decode_list); };
}

}  // namespace

Result<List> Resource::list(const CallOptions& options) const {
  if (!core_) return client::moved_from();
  return client::ask(core_, {"models", {}}, list_request(*core_, options), options, list_reader());
}

Result<Model> Resource::retrieve(const std::string& name, const CallOptions& options) const {
  if (!core_) return client::moved_from();
  return client::ask(core_, {"models", name}, retrieve_request(*core_, name, options), options,
                     client::document_reader<Model>());
}

Pending<List> Resource::start_list(const CallOptions& options) const {
  if (!core_) return client::settled<List>(core_, options, client::moved_from());
  return client::launch(core_, {"models", {}}, list_request(*core_, options), options, list_reader());
}

Pending<Model> Resource::start_retrieve(const std::string& name, const CallOptions& options) const {
  if (!core_) return client::settled<Model>(core_, options, client::moved_from());
  return client::launch(core_, {"models", name}, retrieve_request(*core_, name, options), options,
                        client::document_reader<Model>());
}

}  // namespace inferwire::inline v0_1::models
