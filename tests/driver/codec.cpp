#include "json/codec.hpp"

#include "driver/operations.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/json.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "wire/embeddings.hpp"
#include "wire/error_body.hpp"

namespace inferwire_driver {

using namespace inferwire;
using nlohmann::json;

namespace {

constexpr std::size_t largest_value_told = 64u << 10;

/// The value as the library reads it, not as nlohmann would read the text.
json read(const Json& value) {
  if (value.is_null()) return nullptr;
  if (const auto flag = value.as_bool()) return *flag;
  if (const auto text = value.as_string()) return *text;
  if (value.is_array()) {
    json out = json::array();
    for (const auto& item : value.items()) out.push_back(read(item));
    return out;
  }
  if (value.is_object()) {
    json out = json::object();
    for (const auto& member : value.members()) out[member.name] = read(member.value);
    return out;
  }
  if (const auto whole = value.as_int()) return *whole;
  return value.as_double().value_or(0);
}

json failure(const inferwire::Error& error) { return {{"ok", false}, {"error", describe(error)}}; }

template <class T>
json decode(const json& request) {
  const auto bytes = bytes_of(request.at("data"));
  const auto value = inferwire::json::decode<T>(bytes);
  if (!value) return failure(value.error());
  const auto again = inferwire::json::encode(*value);
  if (!again) return failure(again.error());
  return {{"ok", true}, {"value", json::parse(*again)}};
}

json decode_embedding(const json& request) {
  auto bytes = bytes_of(request.at("data"));
  const auto size = bytes.size();
  bytes.append(inferwire::json::padding, '\0');
  inferwire::embeddings::Response value;
  inferwire::Error error;
  const std::string_view text(bytes.data(), size);
  if (!inferwire::wire::decode_embeddings(inferwire::json::thread_decoder(), text, value, error)) {
    return failure(error);
  }
  const auto again = inferwire::json::encode(value);
  if (!again) return failure(again.error());
  return {{"ok", true}, {"value", json::parse(*again)}};
}

template <class T>
json encode(const json& request) {
  const auto value = inferwire::json::decode<T>(request.at("value").dump());
  if (!value) return failure(value.error());
  const auto text = inferwire::json::encode(*value);
  if (!text) return failure(text.error());
  json out = {{"ok", true}};
  put_bytes(out, "data", *text);
  return out;
}

/// Reads an error body; any body can be read. The value has the shape of OpenAI's errors, with the members of
/// other services beside it.
json decode_error(const json& request) {
  const auto facts = inferwire::wire::read_error_body(bytes_of(request.at("data")), {});
  json error = json::object();
  const auto put = [&error](const char* name, const std::string& text) {
    if (!text.empty()) error[name] = text;
  };
  put("message", facts.message);
  put("type", facts.type);
  put("param", facts.param);
  put("code", facts.code);
  put("original_code", facts.original_code);
  put("request_id", facts.request_id);
  if (facts.original_status) error["original_status"] = *facts.original_status;
  if (facts.retry_delay) error["retry_after_ms"] = facts.retry_delay->count();
  return {{"ok", true}, {"value", {{"error", std::move(error)}}}};
}

}  // namespace

json run_json(const json& request) {
  const auto bytes = bytes_of(request.at("data"));
  const auto value = Json::parse(bytes);
  if (!value) return failure(value.error());
  json out = {{"ok", true}};
  if (bytes.size() < largest_value_told) out["value"] = read(*value);
  return out;
}

json run_codec(std::string_view operation, const json& request) {
  if (operation == "decode_chat") return decode<inferwire::chat::Response>(request);
  if (operation == "decode_chat_chunk") return decode<inferwire::chat::Chunk>(request);
  if (operation == "decode_completion") return decode<inferwire::completions::Response>(request);
  if (operation == "decode_embedding") return decode_embedding(request);
  if (operation == "decode_response") return decode<inferwire::responses::Response>(request);
  if (operation == "decode_response_event") return decode<inferwire::responses::Event>(request);
  if (operation == "encode_chat") return encode<inferwire::chat::Request>(request);
  if (operation == "encode_completion") return encode<inferwire::completions::Request>(request);
  if (operation == "encode_embedding") return encode<inferwire::embeddings::Request>(request);
  if (operation == "encode_response") return encode<inferwire::responses::Request>(request);
  if (operation == "decode_error") return decode_error(request);
  return {{"unsupported", true}};
}

}  // namespace inferwire_driver
