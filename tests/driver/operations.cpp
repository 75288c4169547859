#include "driver/operations.hpp"

#include "inferwire/data_uri.hpp"
#include "json/base64.hpp"

#include <stdexcept>

namespace inferwire_driver {

using nlohmann::json;

json answer(const json& request) {
  const auto operation = request.at("op").get<std::string>();
  if (operation == "hello") {
    return {
        {"driver", "inferwire_driver"},
        {"protocol", 1},
        {"ops",
         {"hello", "sse", "jsonl", "eventstream", "sagemaker", "json", "decode_chat", "decode_chat_chunk",
          "decode_completion", "decode_embedding", "decode_response", "decode_response_event", "decode_error",
          "encode_chat", "encode_completion", "encode_embedding", "encode_response", "replay", "request"}}};
  }
  if (operation == "sse") return run_sse(request);
  if (operation == "jsonl") return run_jsonl(request);
  if (operation == "eventstream") return run_eventstream(request);
  if (operation == "sagemaker") return run_sagemaker(request);
  if (operation == "json") return run_json(request);
  if (operation == "replay") return run_replay(request);
  if (operation == "request") return run_request(request);
  return run_codec(operation, request);
}

std::string bytes_of(const json& base64) {
  auto bytes = inferwire::json::base64_decode(base64.get_ref<const std::string&>());
  if (!bytes) throw std::runtime_error("a member that should be base64 is not");
  return *std::move(bytes);
}

std::vector<std::string> chunks_of(const json& request) {
  std::vector<std::string> chunks;
  for (const auto& chunk : request.at("chunks")) chunks.push_back(bytes_of(chunk));
  return chunks;
}

void put_bytes(json& out, const std::string& name, std::string_view bytes) {
  out[name + "_b64"] = inferwire::to_base64(bytes);
}

json describe(const inferwire::Error& error) {
  json out = {{"kind", inferwire::name(error.kind)}, {"retryable", error.retryable}};
  auto text = [&out](const char* name, const std::string& value) {
    if (!value.empty()) put_bytes(out, name, value);
  };
  text("message", error.detail);
  text("code", error.code);
  text("type", error.type);
  text("param", error.param);
  text("path", error.path);
  text("request_id", error.request_id);
  text("request_id_header", error.request_id_header);
  text("original_code", error.original_code);
  if (error.status != 0) out["status"] = error.status;
  if (error.original_status != 0) out["original_status"] = error.original_status;
  if (error.retry_after) out["retry_after_ms"] = error.retry_after->count();
  return out;
}

namespace {
constexpr std::string_view number_mark = "\"number:";
}

json number(std::string_view digits) { return "number:" + std::string(digits); }

std::string to_line(const json& reply) {
  auto text = reply.dump(-1, ' ', false, json::error_handler_t::replace);
  for (auto at = text.find(number_mark); at != std::string::npos; at = text.find(number_mark, at)) {
    text.erase(at, number_mark.size());
    text.erase(text.find('"', at), 1);
  }
  return text;
}

}  // namespace inferwire_driver
