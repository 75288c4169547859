#include "inferwire/embeddings.hpp"

#include "client/resource.hpp"
#include "inferwire/client.hpp"
#include "wire/documents.hpp"
#include "wire/embeddings.hpp"

namespace inferwire::inline v0_1::embeddings {
namespace {

/// The body of a call, with what the provider's row changes in it.
Result<std::string> encode(const Provider& row, const Request& request) {
  std::array<json::Override, 4> overrides{};
  std::size_t count = 0;
  if (!row.embeddings.model_in_body) overrides[count++] = {"model", {}};
  const bool open = !request.encoding_format && request.extra.find("encoding_format") == nullptr;
  if (row.base64_embeddings && open) overrides[count++] = {"encoding_format", "\"base64\""};
  std::string input;
  if (row.embeddings_input != "input") {
    if (auto encoded = json::encode_any(input, &request.input, json::describe<Input>(), {}); !encoded) {
      return std::move(encoded).error();
    }
    overrides[count++] = {"input", {}};
    overrides[count++] = {row.embeddings_input, input};
  }
  return json::encode(request, {overrides.data(), count});
}

}  // namespace

Result<Response> Resource::create(const Request& request, const CallOptions& options) const {
  if (!core_) return client::moved_from();
  const auto& row = core_->provider();
  auto body = encode(row, request);
  if (!body) return std::move(body).error();
  if (auto checked = client::preflight(*core_, *body, protocol::embedding_rules()); !checked) {
    return std::move(checked).error();
  }
  return client::ask(
      core_, {"embeddings", request.model},
      core_->request(row.embeddings, request.model, std::move(*body), false, options), options,
      [inputs = request.inputs()](const client::WholeAnswer& answer) {
        return client::read_document<Response>(
            answer, [inputs](json::Decoder& decoder, std::string_view text, Response& out, Error& problem) {
              return wire::decode_embeddings(decoder, text, out, problem) &&
                     wire::check_rows(out, inputs, problem);
            });
      });
}

}  // namespace inferwire::inline v0_1::embeddings
