/// \file
/// The tables of the events of a Responses stream: the only place that spells their names. Flags:
/// json/table.hpp.
#pragma once

#include "inferwire/response_events.hpp"
#include "json/table.hpp"
#include "wire/responses_table.hpp"

namespace inferwire::inline v0_1::json {

/// Matches kinds of events that have the same members.
template <class T, class... Kinds>
concept OneOf = (std::is_same_v<T, Kinds> || ...);

template <>
struct Tags<responses::LifecycleEvent> {
  static constexpr std::string_view list[] = {
      "response.created",    "response.queued", "response.in_progress", "response.completed",
      "response.incomplete", "response.failed", "response.cancelled",   "responses.completed"};
};

template <>
struct Fields<responses::LifecycleEvent> {
  using Self = responses::LifecycleEvent;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(type),
      INFERWIRE_FIELD(sequence_number),
      INFERWIRE_FIELD(response, required | partial),
  };
};

template <OneOf<responses::OutputItemAdded, responses::OutputItemDone> Event>
struct Fields<Event> {
  using Self = Event;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(sequence_number),
      INFERWIRE_FIELD(output_index),
      INFERWIRE_FIELD(item, required),
  };
};

template <OneOf<responses::ContentPartAdded, responses::ContentPartDone> Event>
struct Fields<Event> {
  using Self = Event;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(sequence_number), INFERWIRE_FIELD(item_id),         INFERWIRE_FIELD(output_index),
      INFERWIRE_FIELD(content_index),   INFERWIRE_FIELD(part, structure),
  };
};

template <>
struct Fields<responses::TextDelta> {
  using Self = responses::TextDelta;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(sequence_number),
      INFERWIRE_FIELD(item_id),
      INFERWIRE_FIELD(output_index),
      INFERWIRE_FIELD(content_index),
      INFERWIRE_FIELD(delta, structure | keep_empty),
      INFERWIRE_FIELD(logprobs),
      INFERWIRE_FIELD(obfuscation),
  };
};

template <>
struct Fields<responses::TextDone> {
  using Self = responses::TextDone;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(sequence_number),
      INFERWIRE_FIELD(item_id),
      INFERWIRE_FIELD(output_index),
      INFERWIRE_FIELD(content_index),
      INFERWIRE_FIELD(text, structure | keep_empty),
      INFERWIRE_FIELD(logprobs),
  };
};

template <>
struct Fields<responses::AnnotationAdded> {
  using Self = responses::AnnotationAdded;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(sequence_number), INFERWIRE_FIELD(item_id),          INFERWIRE_FIELD(output_index),
      INFERWIRE_FIELD(content_index),   INFERWIRE_FIELD(annotation_index), INFERWIRE_FIELD(annotation),
  };
};

template <OneOf<responses::RefusalDelta, responses::ReasoningTextDelta> Event>
struct Fields<Event> {
  using Self = Event;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(sequence_number),
      INFERWIRE_FIELD(item_id),
      INFERWIRE_FIELD(output_index),
      INFERWIRE_FIELD(content_index),
      INFERWIRE_FIELD(delta, structure | keep_empty),
  };
};

template <>
struct Fields<responses::RefusalDone> {
  using Self = responses::RefusalDone;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(sequence_number),
      INFERWIRE_FIELD(item_id),
      INFERWIRE_FIELD(output_index),
      INFERWIRE_FIELD(content_index),
      INFERWIRE_FIELD(refusal, structure | keep_empty),
  };
};

template <>
struct Fields<responses::FunctionCallArgumentsDelta> {
  using Self = responses::FunctionCallArgumentsDelta;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(sequence_number), INFERWIRE_FIELD(item_id),
      INFERWIRE_FIELD(output_index),    INFERWIRE_FIELD(delta, structure | keep_empty),
      INFERWIRE_FIELD(obfuscation),
  };
};

template <>
struct Fields<responses::FunctionCallArgumentsDone> {
  using Self = responses::FunctionCallArgumentsDone;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(sequence_number),
      INFERWIRE_FIELD(item_id),
      INFERWIRE_FIELD(output_index),
      INFERWIRE_FIELD(name),
      INFERWIRE_FIELD(arguments, structure | keep_empty | object_text),
  };
};

template <>
struct Fields<responses::CustomToolCallInputDelta> {
  using Self = responses::CustomToolCallInputDelta;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(sequence_number),
      INFERWIRE_FIELD(item_id),
      INFERWIRE_FIELD(output_index),
      INFERWIRE_FIELD(delta, structure | keep_empty),
  };
};

template <>
struct Fields<responses::CustomToolCallInputDone> {
  using Self = responses::CustomToolCallInputDone;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(sequence_number),
      INFERWIRE_FIELD(item_id),
      INFERWIRE_FIELD(output_index),
      INFERWIRE_FIELD(input, structure | keep_empty),
  };
};

template <OneOf<responses::ReasoningSummaryPartAdded, responses::ReasoningSummaryPartDone> Event>
struct Fields<Event> {
  using Self = Event;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(sequence_number), INFERWIRE_FIELD(item_id),         INFERWIRE_FIELD(output_index),
      INFERWIRE_FIELD(summary_index),   INFERWIRE_FIELD(part, structure),
  };
};

template <>
struct Fields<responses::ReasoningSummaryTextDelta> {
  using Self = responses::ReasoningSummaryTextDelta;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(sequence_number),
      INFERWIRE_FIELD(item_id),
      INFERWIRE_FIELD(output_index),
      INFERWIRE_FIELD(summary_index),
      INFERWIRE_FIELD(delta, structure | keep_empty),
      INFERWIRE_FIELD(obfuscation),
  };
};

template <>
struct Fields<responses::ReasoningSummaryTextDone> {
  using Self = responses::ReasoningSummaryTextDone;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(sequence_number),
      INFERWIRE_FIELD(item_id),
      INFERWIRE_FIELD(output_index),
      INFERWIRE_FIELD(summary_index),
      INFERWIRE_FIELD(text, structure | keep_empty),
  };
};

template <>
struct Fields<responses::ReasoningTextDone> {
  using Self = responses::ReasoningTextDone;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(sequence_number),
      INFERWIRE_FIELD(item_id),
      INFERWIRE_FIELD(output_index),
      INFERWIRE_FIELD(content_index),
      INFERWIRE_FIELD(text, structure | keep_empty),
  };
};

template <>
struct Tags<responses::HostedToolEvent> {
  static constexpr std::string_view list[] = {"response.web_search_call.in_progress",
                                              "response.web_search_call.searching",
                                              "response.web_search_call.completed",
                                              "response.file_search_call.in_progress",
                                              "response.file_search_call.searching",
                                              "response.file_search_call.completed",
                                              "response.code_interpreter_call.in_progress",
                                              "response.code_interpreter_call.interpreting",
                                              "response.code_interpreter_call.completed",
                                              "response.code_interpreter_call_code.delta",
                                              "response.code_interpreter_call_code.done",
                                              "response.image_generation_call.in_progress",
                                              "response.image_generation_call.generating",
                                              "response.image_generation_call.partial_image",
                                              "response.image_generation_call.completed",
                                              "response.mcp_call.in_progress",
                                              "response.mcp_call.completed",
                                              "response.mcp_call.failed",
                                              "response.mcp_call_arguments.delta",
                                              "response.mcp_call_arguments.done",
                                              "response.mcp_list_tools.in_progress",
                                              "response.mcp_list_tools.completed",
                                              "response.mcp_list_tools.failed",
                                              "response.shell_call_command.added",
                                              "response.shell_call_command.delta",
                                              "response.shell_call_command.done",
                                              "response.shell_call_output_content.delta",
                                              "response.shell_call_output_content.done",
                                              "response.audio.delta",
                                              "response.audio.done",
                                              "response.audio.transcript.delta",
                                              "response.audio.transcript.done",
                                              "response.compaction.compacting"};
};

template <>
struct Fields<responses::HostedToolEvent> {
  using Self = responses::HostedToolEvent;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(type),
      INFERWIRE_FIELD(sequence_number),
      INFERWIRE_FIELD(item_id),
      INFERWIRE_FIELD(output_index),
  };
};

template <>
struct Tags<responses::ErrorEvent> {
  static constexpr std::string_view list[] = {"error", "response.error"};
};

template <>
struct Fields<responses::ErrorEvent> {
  using Self = responses::ErrorEvent;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(type),    INFERWIRE_FIELD(sequence_number), INFERWIRE_FIELD(code, or_number),
      INFERWIRE_FIELD(message), INFERWIRE_FIELD(param),           INFERWIRE_FIELD(error),
  };
};

}  // namespace inferwire::inline v0_1::json
