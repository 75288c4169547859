/// \file
/// Ranges, words and tables shared by the rules of several endpoints.
#pragma once

#include "protocol/rules/rules.hpp"

#include <array>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

inline constexpr Range positive{.from = 1};
inline constexpr Length not_empty{.least = 1};
inline constexpr Length up_to_64{.least = 1, .most = 64};

inline constexpr Speaker all_but_openai = Speaker::all_databricks | Speaker::ai21 | Speaker::lmi;
inline constexpr Speaker all_but_ai21 = Speaker::all_databricks | Speaker::openai | Speaker::lmi;
inline constexpr Speaker all_but_databricks = Speaker::openai | Speaker::ai21 | Speaker::lmi;

/// Streams of chats, completions and responses alike have these.
inline constexpr Conflict only_streamed[]{{.own = State::present,
                                           .other = "stream",
                                           .others = State::not_true,
                                           .problem = "it is only allowed when 'stream' is true"}};
inline constexpr Conflict only_with_tools[]{{.own = State::forces_tool,
                                             .other = "tools",
                                             .others = State::empty,
                                             .problem = "it is only allowed when 'tools' are specified"}};

inline constexpr std::array<std::string_view, 3> formats{"text", "json_object", "json_schema"};
inline constexpr std::array<std::string_view, 3> verbosities{"low", "medium", "high"};
/// Each model takes only some. Databricks' reference lists three of them, its page on reasoning models more.
inline constexpr std::array<std::string_view, 7> efforts{"none", "minimal", "low", "medium",
                                                         "high", "xhigh",   "max"};

/// A JSON schema of parameters: "The number of properties is limited to 15 keys" (Databricks).
inline constexpr Rule few_properties[]{{.name = "properties", .length = {.most = 15}}};
inline constexpr std::array<std::string_view, 1> has_parameters{"parameters"};

/// A function that the model may call.
inline constexpr Rule defined_function[]{
    {.name = "name",
     .form = ValueForm::string,
     .speakers = all_but_openai,
     .required = true,
     .text_length = not_empty},
    {.name = "name",
     .form = ValueForm::string,
     .speakers = Speaker::openai,
     .required = true,
     .plain = true,
     .text_length = up_to_64},
    {.name = "description",
     .form = ValueForm::string,
     .speakers = Speaker::ai21,
     .required = true,
     .unless = has_parameters},
    {.name = "description", .form = ValueForm::string, .speakers = all_but_ai21},
    {.name = "parameters",
     .form = ValueForm::object,
     .speakers = Speaker::databricks,
     .open = true,
     .members = few_properties},
    {.name = "parameters", .form = ValueForm::object, .speakers = all_but_databricks},
    {.name = "strict", .form = ValueForm::boolean},
};

}  // namespace inferwire::inline v0_1::protocol
