#include "inferwire/models.hpp"

#include "client/resources/answer_reader.hpp"
#include "client/resources/launch.hpp"
#include "inferwire/client.hpp"
#include "json/scanner.hpp"
#include "wire/documents.hpp"

namespace inferwire::inline v0_1::models {
namespace {

/// Together sends the list without an object around it.
Result<List> decode_list(json::Decoder& decoder, std::string_view text) {
  if (!json::trim(text).starts_with('[')) return client::decode_document<List>(decoder, text);
  return json::decode<List>("{\"data\":" + std::string(text) + "}");
}

Result<HttpRequest> request_of(detail::Core& core, const Route& route, std::string_view model,
                               const CallOptions& options) {
  return client::path_of(core.provider(), "models", route, model, client::AnswerForm::whole)
      .and_then([&](std::string path) { return core.request({.path = std::move(path)}, options); });
}

auto listing(detail::Core& core, const CallOptions& options) {
  return client::Verb{
      client::Subject{"models", {}}, request_of(core, core.provider().models, {}, options),
      [](const client::WholeAnswer& answer) { return client::read_document<List>(answer, &decode_list); }};
}

auto retrieval(const std::string& name) {
  return [&name](detail::Core& core, const CallOptions& options) {
    auto route = core.provider().models;
    if (!route.path.empty()) route.path += "/{model}";
    return client::Verb{client::Subject{"models", name}, request_of(core, route, name, options),
                        client::document_reader<Model>()};
  };
}

}  // namespace

Result<List> Resource::list(const CallOptions& options) const {
  return client::ask(core_, options, &listing);
}

Result<Model> Resource::retrieve(const std::string& name, const CallOptions& options) const {
  return client::ask(core_, options, retrieval(name));
}

Pending<List> Resource::start_list(const CallOptions& options) const {
  return client::launch(core_, options, &listing);
}

Pending<Model> Resource::start_retrieve(const std::string& name, const CallOptions& options) const {
  return client::launch(core_, options, retrieval(name));
}

}  // namespace inferwire::inline v0_1::models
