/// \file
/// The operations of the driver, by name.
#pragma once

#include "inferwire/error.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace inferwire_driver {

/// The reply to one request, without its id. Throws when the driver itself goes wrong.
nlohmann::json answer(const nlohmann::json& request);

// Operations, each in a file of its own.
nlohmann::json run_sse(const nlohmann::json& request);
nlohmann::json run_jsonl(const nlohmann::json& request);
nlohmann::json run_eventstream(const nlohmann::json& request);
nlohmann::json run_sagemaker(const nlohmann::json& request);
nlohmann::json run_json(const nlohmann::json& request);
nlohmann::json run_codec(std::string_view operation, const nlohmann::json& request);
nlohmann::json run_replay(const nlohmann::json& request);
nlohmann::json run_request(const nlohmann::json& request);

/// Bytes of a base64 member; throws when it is not base64.
std::string bytes_of(const nlohmann::json& base64);
/// The `chunks` of a request.
std::vector<std::string> chunks_of(const nlohmann::json& request);
/// Sets `name`_b64 to exactly `bytes`.
void put_bytes(nlohmann::json& out, const std::string& name, std::string_view bytes);
nlohmann::json describe(const inferwire::Error& error);
/// A number of any length. It travels through nlohmann::json, which has no such numbers, as a marked string.
nlohmann::json number(std::string_view digits);
/// The reply as text, with marked strings turned into numbers.
std::string to_line(const nlohmann::json& reply);

}  // namespace inferwire_driver
