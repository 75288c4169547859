#include "inferwire/embeddings.hpp"

#include "client/resources/launch.hpp"
#include "client/resources/resource.hpp"
#include "inferwire/client.hpp"
#include "wire/documents.hpp"
#include "wire/embeddings.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1 {

namespace client {
namespace {

/// Whether the rows, or their bytes in base64, are to be other values than little-endian floats of 32 bits.
/// Lists of numbers can be read, but text in base64 does not say what it holds.
/// (voyage-ai/voyageai-python#19, vespa-engine/vespa#35953, BerriAI/litellm#22610;
/// docs.vllm.ai/en/latest/api/vllm/entrypoints/pooling/embed/protocol)
bool are_other_than_floats(const embeddings::Request& request) {
  const auto given = [&request](std::string_view name, std::string_view otherwise) {
    const Json* const value = request.extra.find(name);
    return value == nullptr || value->is_null() ? std::string(otherwise) : value->as_string().value_or("");
  };
  return given("output_dtype", "float") != "float" || given("embed_dtype", "float32") != "float32" ||
         given("endianness", "native") == "big";
}

/// The request's own encoding of rows; "" if it names none.
std::string_view encoding_of(const embeddings::Request& request) {
  if (request.encoding_format) return *request.encoding_format;
  const Json* const format = request.extra.find("encoding_format");
  if (format == nullptr || !format->is_string()) return {};
  std::string_view text = format->text();
  text.remove_prefix(1);
  text.remove_suffix(1);
  return text;
}

/// Refuses encodings whose rows would be read as if they held floats: "base64_int8" (Perplexity), and base64
/// of other values.
Result<void> check_encoding(const embeddings::Request& request) {
  const auto format = encoding_of(request);
  if (!format.starts_with(embeddings::EncodingFormat::base64)) return {};
  const bool plain = format == embeddings::EncodingFormat::base64;
  if (plain && !are_other_than_floats(request)) return {};
  return Error{
      .kind = ErrorKind::invalid_request,
      .detail =
          plain ? "only little-endian floats of 32 bits can be read from base64; leave encoding_format out"
                : "embeddings in " + std::string(format) + " cannot be read",
      .param = "encoding_format"};
}

}  // namespace
}  // namespace client

Result<void> client::RequestTraits<embeddings::Request>::add_overrides(const Provider& row,
                                                                       const embeddings::Request& request,
                                                                       Overrides& overrides) {
  if (auto checked = check_encoding(request); !checked) return checked;
  const bool open = !request.encoding_format && request.extra.find("encoding_format") == nullptr;
  if (row.base64_embeddings && open && !are_other_than_floats(request))
    overrides.add("encoding_format", "\"base64\"");
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
    return client::read_document<Response>(answer, [inputs](json::Decoder& decoder, std::string_view text) {
      Result<Response> out;
      Error problem;
      const bool read =
          wire::decode_embeddings(decoder, text, *out, problem) && wire::check_rows(*out, inputs, problem);
      if (!read) out = std::move(problem);
      return out;
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
