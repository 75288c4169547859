#include "inferwire/models.hpp"

#include "client/resource.hpp"
#include "inferwire/client.hpp"
#include "wire/documents.hpp"

namespace inferwire::inline v0_1::models {
namespace {

template <class Document>
Result<Document> get(const std::shared_ptr<detail::Core>& core, const Route& route, std::string_view name,
                     const CallOptions& options) {
  return client::ask(core, {"models", name}, core->request(route, name, std::nullopt, false, options),
                     options, client::document_reader<Document>());
}

}  // namespace

Result<List> Resource::list(const CallOptions& options) const {
  if (!core_) return client::moved_from();
  return get<List>(core_, core_->provider().models, {}, options);
}

Result<Model> Resource::retrieve(const std::string& name, const CallOptions& options) const {
  if (!core_) return client::moved_from();
  auto route = core_->provider().models;
  if (!route.path.empty()) route.path += "/{model}";
  return get<Model>(core_, route, name, options);
}

}  // namespace inferwire::inline v0_1::models
