#include "inferwire/embeddings.hpp"

#include "client/resources/answer_reader.hpp"
#include "client/resources/launch.hpp"
#include "client/resources/preflight.hpp"
#include "inferwire/client.hpp"
#include "wire/documents.hpp"
#include "wire/embeddings.hpp"

namespace inferwire::inline v0_1::embeddings {
namespace {

/// The body of a request, with the overrides of the provider's row.
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

Result<HttpRequest> request_of(detail::Core& core, const Request& request, const CallOptions& options) {
  const auto& row = core.provider();
  auto body = encode(row, request);
  if (!body) return std::move(body).error();
  if (auto checked = client::preflight(core, *body, protocol::embedding_rules(), options); !checked) {
    return std::move(checked).error();
  }
  return client::path_of(row, "embeddings", row.embeddings, request.model, client::AnswerForm::whole)
      .and_then([&](std::string path) {
        return core.request({.path = std::move(path), .body = *std::move(body)}, options);
      });
}

/// The reader of an answer with `inputs` rows.
auto reader(std::size_t inputs) {
  return [inputs](const client::WholeAnswer& answer) {
    return client::read_document<Response>(answer, [inputs](json::Decoder& decoder, std::string_view text,
                                                            Response& out, Error& problem) {
      return wire::decode_embeddings(decoder, text, out, problem) && wire::check_rows(out, inputs, problem);
    });
  };
}

/// The verb of `create` and `start`.
auto verb(const Request& request) {
  return [&request](detail::Core& core, const CallOptions& options) {
    return client::Verb{client::Subject{"embeddings", request.model}, request_of(core, request, options),
                        reader(request.inputs())};
  };
}

}  // namespace

Result<Response> Resource::create(const Request& request, const CallOptions& options) const {
  return client::ask(core_, options, verb(request));
}

Pending<Response> Resource::start(const Request& request, const CallOptions& options) const {
  return client::launch(core_, options, verb(request));
}

}  // namespace inferwire::inline v0_1::embeddings
