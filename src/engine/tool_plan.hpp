/// \file
/// Which functions an answer calls.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/choice.hpp"
#include "engine/dialect.hpp"
#include "engine/document.hpp"
#include "engine/refusal.hpp"
#include "inferwire/json.hpp"

namespace inferwire::inline v0_1::engine {

/// A function that is offered to the model.
struct OfferedTool {
  std::string param{};  ///< where its parameters stand in the request: "tools[0].function.parameters"
  std::string name{};
  std::string description{};
  const Json* parameters{};  ///< a JSON schema; nullptr: none
  bool strict{};
  bool allowed{true};  ///< whether it may be called
};

struct ToolRequest {
  std::vector<OfferedTool> tools{};
  std::string_view choice{};  ///< "none", "auto" or "required"
  std::string_view named{};   ///< instead: the one function to call; empty: none is named
  bool several{true};         ///< whether more than one may be called
  std::string question{};     ///< what the user said last
  bool has_results{};         ///< the conversation ends with what tools gave
};

/// A name that is longer than OpenAI lets it be: 64 characters. It stands before the call in what the model
/// reads.
std::optional<Refusal> check_function_name(std::string_view name, std::string param);

/// What is wrong with a function's parameters before they are read as a schema; `parameters` may be nullptr.
std::optional<Refusal> check_parameters(const Document* parameters, std::string param,
                                        const Dialect& dialect);

/// How a dialect writes a tool's name, in a tool and in a choice.
using NameOfTool = std::string_view (*)(const Document&);

/// Whether the tool that a choice names at `place` is one of `tools`, which may be nullptr.
std::optional<Refusal> check_named_tool(std::string_view name, std::string place, const Document* tools,
                                        NameOfTool name_of);

/// What is wrong with the choice of a few tools that a model may call, or has to: `mode` and `tools` at
/// `place`.
std::optional<Refusal> check_allowed_tools(const Document& allowed, const Place& place, const Document* tools,
                                           NameOfTool name_of);

/// Leaves those tools to be called that such a choice lets be.
void allow_tools(ToolRequest& tools, const Document& allowed, NameOfTool name_of);

/// The calls of the answer, none where it is text; or what is wrong with a function's parameters. "auto"
/// calls the functions that the question is about, and none after results; "required" the one that comes
/// nearest.
std::variant<std::vector<Part>, Refusal> plan_calls(const ToolRequest& request, const Dialect& dialect,
                                                    const std::shared_ptr<const LanguageModel>& model);

}  // namespace inferwire::inline v0_1::engine
