/// \file
/// A decoder of chat chunks as one would write it by hand with simdjson On-Demand: the table interpreter is
/// measured against it. It does the same job: it reads every member of the struct, keeps unknown members and
/// checks the document's end. It does not check what it keeps raw, nor say where an error is.
#pragma once

#include "inferwire/chat.hpp"
#include "inferwire/completions.hpp"

#include <simdjson.h>

#include <string>
#include <string_view>

namespace inferwire_bench {

class HandWritten {
 public:
  /// Returns false if the document is not a chunk. Absent members become default values.
  bool decode(std::string_view text, std::size_t capacity, inferwire::chat::Chunk& chunk) {
    ondemand::document document;
    ondemand::object object;
    if (parser_.iterate(text.data(), text.size(), capacity).get(document) ||
        document.get_object().get(object)) {
      return false;
    }
    chunk.usage.reset();
    chunk.service_tier.reset();
    chunk.system_fingerprint.reset();
    chunk.obfuscation.reset();
    chunk.extra.clear();
    std::size_t choices = 0;
    for (auto item : object) {
      ondemand::field field;
      std::string_view key;
      if (std::move(item).get(field) || field.unescaped_key().get(key)) return false;
      bool ok = true;
      if (key == "id") {
        ok = read(field.value(), chunk.id);
      } else if (key == "object") {
        ok = read(field.value(), chunk.object);
      } else if (key == "created") {
        ok = read(field.value(), chunk.created);
      } else if (key == "model") {
        ok = read(field.value(), chunk.model);
      } else if (key == "choices") {
        ok = read_choices(field.value(), chunk, choices);
      } else if (key == "usage") {
        ok = read_usage(field.value(), chunk.usage);
      } else if (key == "service_tier") {
        ok = read(field.value(), chunk.service_tier);
      } else if (key == "system_fingerprint") {
        ok = read(field.value(), chunk.system_fingerprint);
      } else if (key == "obfuscation") {
        ok = read(field.value(), chunk.obfuscation);
      } else {
        ok = keep(key, field.value(), chunk.extra);
      }
      if (!ok) return false;
    }
    chunk.choices.resize(choices);
    return document.current_location().error() == simdjson::OUT_OF_BOUNDS;
  }

 protected:
  using Value = simdjson::ondemand::value;
  struct ondemand {
    using document = simdjson::ondemand::document;
    using object = simdjson::ondemand::object;
    using array = simdjson::ondemand::array;
    using field = simdjson::ondemand::field;
  };

  static bool raw(Value& value, std::string_view& text) {
    simdjson::ondemand::json_type type;
    if (value.type().get(type)) return false;
    if (type == simdjson::ondemand::json_type::object) {
      ondemand::object object;
      return !value.get_object().get(object) && !object.raw_json().get(text);
    }
    if (type == simdjson::ondemand::json_type::array) {
      ondemand::array array;
      return !value.get_array().get(array) && !array.raw_json().get(text);
    }
    text = value.raw_json_token();
    return true;
  }
  static bool keep(std::string_view key, Value& value, inferwire::Extra& extra) {
    const std::string name(key);
    std::string_view text;
    if (!raw(value, text)) return false;
    extra.append(name, inferwire::Json::raw(std::string(text)));
    return true;
  }
  static bool read(Value& value, inferwire::Optional<inferwire::Json>& out) {
    std::string_view text;
    if (null(value)) {
      out.reset();
      return true;
    }
    if (!raw(value, text)) return false;
    out = inferwire::Json::raw(std::string(text));
    return true;
  }
  static bool null(Value& value) {
    bool is_null = false;
    return !value.is_null().get(is_null) && is_null;
  }
  static bool read(Value& value, std::string& out) {
    std::string_view text;
    if (value.get_string().get(text)) return false;
    out.assign(text);
    return true;
  }
  static bool read(Value& value, inferwire::Optional<std::string>& out) {
    if (null(value)) {
      out.reset();
      return true;
    }
    std::string_view text;
    if (value.get_string().get(text)) return false;
    if (out) {
      out->assign(text);
    } else {
      out.emplace(text);
    }
    return true;
  }
  static bool read(Value& value, inferwire::Optional<std::int64_t>& out) {
    if (null(value)) {
      out.reset();
      return true;
    }
    return !value.get_int64().get(out.emplace());
  }
  template <class Words>
  static bool read(Value& value, inferwire::Optional<inferwire::OpenEnum<Words>>& out) {
    if (null(value)) {
      out.reset();
      return true;
    }
    std::string_view text;
    if (value.get_string().get(text)) return false;
    out.emplace(text);
    return true;
  }
  static bool read_usage(Value& value, inferwire::Optional<inferwire::Usage>& out) {
    if (null(value)) return true;
    ondemand::object object;
    if (value.get_object().get(object)) return false;
    inferwire::Usage& usage = out.emplace();
    for (auto item : object) {
      ondemand::field field;
      std::string_view key;
      if (std::move(item).get(field) || field.unescaped_key().get(key)) return false;
      bool ok = true;
      if (key == "prompt_tokens") {
        ok = read(field.value(), usage.prompt_tokens);
      } else if (key == "completion_tokens") {
        ok = read(field.value(), usage.completion_tokens);
      } else if (key == "total_tokens") {
        ok = read(field.value(), usage.total_tokens);
      } else {
        ok = keep(key, field.value(), usage.extra);
      }
      if (!ok) return false;
    }
    return true;
  }
  static bool read_call(Value& value, inferwire::Optional<inferwire::chat::FunctionCallDelta>& out) {
    if (null(value)) return true;
    ondemand::object object;
    if (value.get_object().get(object)) return false;
    auto& call = out.emplace();
    for (auto item : object) {
      ondemand::field field;
      std::string_view key;
      if (std::move(item).get(field) || field.unescaped_key().get(key)) return false;
      bool ok = true;
      if (key == "name") {
        ok = read(field.value(), call.name);
      } else if (key == "arguments") {
        ok = read(field.value(), call.arguments);
      } else {
        ok = keep(key, field.value(), call.extra);
      }
      if (!ok) return false;
    }
    return true;
  }
  static bool read_tool_calls(Value& value, std::vector<inferwire::chat::ToolCallDelta>& out) {
    if (null(value)) return true;
    ondemand::array array;
    if (value.get_array().get(array)) return false;
    for (auto element : array) {
      ondemand::object object;
      if (element.get_object().get(object)) return false;
      auto& call = out.emplace_back();
      for (auto item : object) {
        ondemand::field field;
        std::string_view key;
        if (std::move(item).get(field) || field.unescaped_key().get(key)) return false;
        bool ok = true;
        if (key == "index") {
          ok = read(field.value(), call.index);
        } else if (key == "id") {
          ok = read(field.value(), call.id);
        } else if (key == "type") {
          ok = read(field.value(), call.type);
        } else if (key == "function") {
          ok = read_call(field.value(), call.function);
        } else {
          ok = keep(key, field.value(), call.extra);
        }
        if (!ok) return false;
      }
    }
    return true;
  }
  /// Keeps the parts of logprobs as they are, since logprobs are rare in streams.
  static bool read_logprobs(Value& value, inferwire::Optional<inferwire::chat::Logprobs>& out) {
    if (null(value)) return true;
    ondemand::object object;
    if (value.get_object().get(object)) return false;
    auto& logprobs = out.emplace();
    for (auto item : object) {
      ondemand::field field;
      std::string_view key;
      if (std::move(item).get(field) || field.unescaped_key().get(key)) return false;
      if (!keep(key, field.value(), logprobs.extra)) return false;
    }
    return true;
  }
  static bool read_delta(Value& value, inferwire::chat::Delta& delta) {
    ondemand::object object;
    if (value.get_object().get(object)) return false;
    delta.role.reset();
    delta.refusal.reset();
    delta.reasoning_content.reset();
    delta.reasoning.reset();
    delta.function_call.reset();
    delta.tool_calls.clear();
    delta.extra.clear();
    bool has_content = false;
    for (auto item : object) {
      ondemand::field field;
      std::string_view key;
      if (std::move(item).get(field) || field.unescaped_key().get(key)) return false;
      bool ok = true;
      if (key == "role") {
        ok = read(field.value(), delta.role);
      } else if (key == "content") {
        if (null(field.value())) continue;
        has_content = true;
        simdjson::ondemand::json_type type;
        if (field.value().type().get(type)) return false;
        if (type == simdjson::ondemand::json_type::array) {
          // Lists of parts are rare in streams, so they are kept as they are.
          ok = keep(key, field.value(), delta.extra);
          has_content = false;
          if (!ok) return false;
          continue;
        }
        if (!delta.content || delta.content->index() != 0) delta.content.emplace(std::string());
        ok = read(field.value(), *std::get_if<std::string>(&*delta.content));
      } else if (key == "refusal") {
        ok = read(field.value(), delta.refusal);
      } else if (key == "reasoning_content") {
        ok = read(field.value(), delta.reasoning_content);
      } else if (key == "reasoning") {
        ok = read(field.value(), delta.reasoning);
      } else if (key == "tool_calls") {
        ok = read_tool_calls(field.value(), delta.tool_calls);
      } else if (key == "function_call") {
        ok = read_call(field.value(), delta.function_call);
      } else {
        ok = keep(key, field.value(), delta.extra);
      }
      if (!ok) return false;
    }
    if (!has_content) delta.content.reset();
    return true;
  }
  static bool read_choices(Value& value, inferwire::chat::Chunk& chunk, std::size_t& count) {
    ondemand::array array;
    if (value.get_array().get(array)) return false;
    for (auto element : array) {
      ondemand::object object;
      if (element.get_object().get(object)) return false;
      if (count == chunk.choices.size()) chunk.choices.emplace_back();
      inferwire::chat::ChunkChoice& choice = chunk.choices[count++];
      choice.finish_reason.reset();
      choice.logprobs.reset();
      choice.stop_reason.reset();
      choice.extra.clear();
      for (auto item : object) {
        ondemand::field field;
        std::string_view key;
        if (std::move(item).get(field) || field.unescaped_key().get(key)) return false;
        bool ok = true;
        if (key == "index") {
          ok = !field.value().get_int64().get(choice.index);
        } else if (key == "delta") {
          ok = read_delta(field.value(), choice.delta);
        } else if (key == "finish_reason") {
          ok = read(field.value(), choice.finish_reason);
        } else if (key == "logprobs") {
          ok = read_logprobs(field.value(), choice.logprobs);
        } else if (key == "stop_reason") {
          ok = read(field.value(), choice.stop_reason);
        } else {
          ok = keep(key, field.value(), choice.extra);
        }
        if (!ok) return false;
      }
    }
    return true;
  }

  simdjson::ondemand::parser parser_;
};

/// A decoder of text completion chunks, written by hand as HandWritten is.
class HandWrittenCompletions : HandWritten {
 public:
  bool decode(std::string_view text, std::size_t capacity, inferwire::completions::Chunk& chunk) {
    ondemand::document document;
    ondemand::object object;
    if (parser_.iterate(text.data(), text.size(), capacity).get(document) ||
        document.get_object().get(object)) {
      return false;
    }
    chunk.usage.reset();
    chunk.system_fingerprint.reset();
    chunk.extra.clear();
    std::size_t choices = 0;
    for (auto item : object) {
      ondemand::field field;
      std::string_view key;
      if (std::move(item).get(field) || field.unescaped_key().get(key)) return false;
      bool ok = true;
      if (key == "id") {
        ok = read(field.value(), chunk.id);
      } else if (key == "object") {
        ok = read(field.value(), chunk.object);
      } else if (key == "created") {
        ok = read(field.value(), chunk.created);
      } else if (key == "model") {
        ok = read(field.value(), chunk.model);
      } else if (key == "choices") {
        ok = read_texts(field.value(), chunk, choices);
      } else if (key == "usage") {
        ok = read_usage(field.value(), chunk.usage);
      } else if (key == "system_fingerprint") {
        ok = read(field.value(), chunk.system_fingerprint);
      } else {
        ok = keep(key, field.value(), chunk.extra);
      }
      if (!ok) return false;
    }
    chunk.choices.resize(choices);
    return document.current_location().error() == simdjson::OUT_OF_BOUNDS;
  }

 private:
  static bool read_texts(Value& value, inferwire::completions::Chunk& chunk, std::size_t& count) {
    ondemand::array array;
    if (value.get_array().get(array)) return false;
    for (auto element : array) {
      ondemand::object object;
      if (element.get_object().get(object)) return false;
      if (count == chunk.choices.size()) chunk.choices.emplace_back();
      auto& choice = chunk.choices[count++];
      choice.finish_reason.reset();
      choice.logprobs.reset();
      choice.stop_reason.reset();
      choice.extra.clear();
      for (auto item : object) {
        ondemand::field field;
        std::string_view key;
        if (std::move(item).get(field) || field.unescaped_key().get(key)) return false;
        bool ok = true;
        if (key == "index") {
          ok = !field.value().get_int64().get(choice.index);
        } else if (key == "text") {
          ok = read(field.value(), choice.text);
        } else if (key == "finish_reason") {
          ok = read(field.value(), choice.finish_reason);
        } else if (key == "logprobs") {
          ok = null(field.value());  // never set in this stream
        } else if (key == "stop_reason") {
          ok = read(field.value(), choice.stop_reason);
        } else {
          ok = keep(key, field.value(), choice.extra);
        }
        if (!ok) return false;
      }
    }
    return true;
  }
};

}  // namespace inferwire_bench
