/// \file
/// An engine that plays a script, and a chat to ask it for.
#pragma once

#include "inferwire/engine/engine.hpp"
#include "support/ask.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace inferwire_test {

inline const std::string chats = "/v1/chat/completions";

inline std::string chat_body(const std::string& text, const std::string& members = "") {
  return R"({"model":"inferwire-toy","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":")" +
         text + R"("}])" + (members.empty() ? "" : "," + members) + "}";
}

inline std::shared_ptr<inferwire::engine::Engine> engine_of(std::vector<inferwire::engine::Rule> rules,
                                                            bool strict = false) {
  return std::make_shared<inferwire::engine::Engine>(inferwire::engine::EngineOptions{
      .created = 1, .script = {.rules = std::move(rules), .strict = strict}, .journal_entries = 100});
}

inline std::string text_of(const Answered& answer) {
  return nlohmann::json::parse(answer.body)["choices"][0]["message"]["content"];
}

}  // namespace inferwire_test
