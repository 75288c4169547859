/// \file
/// Reads chat chunks and builds requests with nlohmann::json, in the usual way.
#pragma once

#include "inferwire/chat.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace inferwire_bench {

inline bool nlohmann_decode(std::string_view text, inferwire::chat::Chunk& chunk) {
  const auto document = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
  if (!document.is_object()) return false;
  chunk.id = document.value("id", "");
  chunk.object = document.value("object", "");
  chunk.created = document.value("created", std::int64_t{0});
  chunk.model = document.value("model", "");
  chunk.choices.clear();
  for (const auto& element : document.value("choices", nlohmann::json::array())) {
    auto& choice = chunk.choices.emplace_back();
    choice.index = element.value("index", std::int64_t{0});
    if (const auto delta = element.find("delta"); delta != element.end()) {
      if (const auto content = delta->find("content"); content != delta->end() && content->is_string()) {
        choice.delta.content = content->get<std::string>();
      }
    }
    if (const auto finish = element.find("finish_reason"); finish != element.end() && finish->is_string()) {
      choice.finish_reason = finish->get<std::string>();
    }
  }
  return true;
}

inline std::string nlohmann_encode(const inferwire::chat::Request& request) {
  nlohmann::json document = {{"model", request.model}, {"messages", nlohmann::json::array()}};
  for (const auto& message : request.messages) {
    document["messages"].push_back(
        {{"role", message.role.str()}, {"content", std::get<std::string>(*message.content)}});
  }
  if (request.max_tokens) document["max_tokens"] = *request.max_tokens;
  if (request.temperature) document["temperature"] = *request.temperature;
  if (request.stream) document["stream"] = *request.stream;
  return document.dump();
}

}  // namespace inferwire_bench
