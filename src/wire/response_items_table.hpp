/// \file
/// The tables of the items of the Responses API: the only place that spells their names. Flags:
/// json/table.hpp.
#pragma once

#include "inferwire/response_items.hpp"
#include "json/table.hpp"
#include "wire/logprobs_table.hpp"

namespace inferwire::inline v0_1::json {

template <>
struct Fields<responses::InputText> {
  using Self = responses::InputText;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(text, structure | keep_empty),
  };
};

template <>
struct Fields<responses::InputImage> {
  using Self = responses::InputImage;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(image_url),
      INFERWIRE_FIELD(file_id),
      INFERWIRE_FIELD(detail),
  };
};

template <>
struct Fields<responses::InputFile> {
  using Self = responses::InputFile;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(file_id),  INFERWIRE_FIELD(filename), INFERWIRE_FIELD(file_data),
      INFERWIRE_FIELD(file_url), INFERWIRE_FIELD(detail),
  };
};

template <>
struct Fields<responses::Annotation> {
  using Self = responses::Annotation;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(type),        INFERWIRE_FIELD(url),          INFERWIRE_FIELD(title),
      INFERWIRE_FIELD(start_index), INFERWIRE_FIELD(end_index),    INFERWIRE_FIELD(file_id),
      INFERWIRE_FIELD(filename),    INFERWIRE_FIELD(container_id), INFERWIRE_FIELD(index),
  };
};

template <>
struct Fields<responses::OutputText> {
  using Self = responses::OutputText;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(text, structure | keep_empty),
      INFERWIRE_FIELD(annotations),
      INFERWIRE_FIELD(logprobs),
  };
};

template <>
struct Fields<responses::Refusal> {
  using Self = responses::Refusal;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(refusal, structure | keep_empty),
  };
};

template <>
struct Fields<responses::ReasoningText> {
  using Self = responses::ReasoningText;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(type),
      INFERWIRE_FIELD(text, structure | keep_empty),
  };
};

template <>
struct Tags<responses::Message> {
  static constexpr std::string_view list[] = {"message", ""};
};

template <>
struct Fields<responses::Message> {
  using Self = responses::Message;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id),     INFERWIRE_FIELD(type),
      INFERWIRE_FIELD(role),   INFERWIRE_FIELD(content, structure),
      INFERWIRE_FIELD(status), INFERWIRE_FIELD(phase),
  };
};

template <>
struct Fields<responses::FunctionCall> {
  using Self = responses::FunctionCall;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id),
      INFERWIRE_FIELD(call_id),
      INFERWIRE_FIELD(name, structure | keep_empty),
      INFERWIRE_FIELD(arguments, structure | keep_empty | object_text),
      INFERWIRE_FIELD(status),
  };
};

template <>
struct Fields<responses::FunctionCallOutput> {
  using Self = responses::FunctionCallOutput;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id),
      INFERWIRE_FIELD(call_id, keep_empty),
      INFERWIRE_FIELD(output, structure | keep_empty),
      INFERWIRE_FIELD(status),
  };
};

template <>
struct Fields<responses::Reasoning> {
  using Self = responses::Reasoning;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id),
      INFERWIRE_FIELD(summary, structure | keep_empty),
      INFERWIRE_FIELD(content, structure),
      INFERWIRE_FIELD(encrypted_content),
      INFERWIRE_FIELD(status),
  };
};

template <>
struct Fields<responses::CustomToolCall> {
  using Self = responses::CustomToolCall;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id),
      INFERWIRE_FIELD(call_id),
      INFERWIRE_FIELD(name, structure | keep_empty),
      INFERWIRE_FIELD(input, structure | keep_empty),
      INFERWIRE_FIELD(status),
  };
};

template <>
struct Fields<responses::CustomToolCallOutput> {
  using Self = responses::CustomToolCallOutput;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id),
      INFERWIRE_FIELD(call_id, keep_empty),
      INFERWIRE_FIELD(output, structure | keep_empty),
      INFERWIRE_FIELD(status),
  };
};

template <>
struct Fields<responses::ItemReference> {
  using Self = responses::ItemReference;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id, keep_empty),
  };
};

}  // namespace inferwire::inline v0_1::json
