#include "inferwire/embeddings.hpp"

#include "client/resources/answer_reader.hpp"
#include "client/resources/launch.hpp"
#include "inferwire/client.hpp"
#include "wire/documents.hpp"
#include "wire/embeddings.hpp"

#include <string>
#include <utility>

namespace inferwire::inline v0_1 {

Result<void> client::RequestTraits<embeddings::Request>::add_overrides(const Provider& row,
                                                                       const embeddings::Request& request,
                                                                       Overrides& overrides) {
  const bool open = !request.encoding_format && request.extra.find("encoding_format") == nullptr;
  if (row.base64_embeddings && open) overrides.add("encoding_format", "\"base64\"");
  if (row.embeddings_input == "input") return {};
  std::string input;
  auto encoded = json::encode_any(input, &request.input, json::describe<embeddings::Input>(), {});
  if (!encoded) return encoded;
  overrides.add("input", {});
  overrides.add_text(row.embeddings_input, std::move(input));
  return {};
}

namespace embeddings {
namespace {

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
    return client::Verb{client::Subject{client::RequestTraits<Request>::name, request.model},
                        client::request_of(core, request, client::AnswerForm::whole, options),
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

}  // namespace embeddings

}  // namespace inferwire::inline v0_1
