/// \file
/// Which functions an answer calls.
#pragma once

#include "engine/answer/choice.hpp"
#include "engine/dialect.hpp"
#include "engine/document.hpp"
#include "engine/refusal.hpp"
#include "inferwire/engine/language_model.hpp"
#include "inferwire/json.hpp"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// A function that is offered to the model.
struct OfferedTool {
  std::string param{};  ///< the place of its parameters in the request: "tools[0].function.parameters"
  std::string name{};
  std::string description{};
  const Json* parameters{};  ///< a JSON schema; nullptr: none
  bool strict{};
  bool allowed{true};  ///< whether it may be called
};

/// How often functions have been called, by their names.
using CallCounts = std::map<std::string, int, std::less<>>;

struct ToolRequest {
  std::vector<OfferedTool> tools{};
  std::string_view choice{"auto"};  ///< "none", "auto" or "required"
  std::string_view named{};         ///< the one function to call instead; empty: none is named
  bool several{true};               ///< whether more than one may be called
  std::string question{};           ///< the user's last message
  bool has_results{};               ///< the conversation ends with results of tools
  CallCounts calls{};               ///< since that message
};

/// How requests of one kind write a function, in a tool and in a choice.
struct ToolSpelling {
  /// Finds a member of the function; nullptr: it has none with that name.
  const Document* (*part_of)(const Document& tool, std::string_view name){};
  std::string_view function{};  ///< the path of its members within the tool: ".function"
  std::string_view allowed{};   ///< the member of a choice that lists allowed tools; empty: the choice itself
};
/// Chats write a function in an object of its own.
extern const ToolSpelling nested_spelling;
/// The Responses API writes it next to the tool's type; an object of its own is accepted.
extern const ToolSpelling flat_spelling;

/// Checks a request's tools, except whether their parameters are valid schemas.
std::optional<Refusal> check_tools(const Document& document, const ToolSpelling& spelling);

/// Checks the tool choice: a mode, a function's name, or a list of tools that the model may or must call.
std::optional<Refusal> check_tool_choice(const Document& document, const ToolSpelling& spelling,
                                         const Dialect& dialect);

/// Whether the conversation ends with the result of a tool. Instructions may follow it.
bool ends_with_results(std::span<const ChatTurn> turns);

/// The tool at `index` of a request, whose function is described by `function`.
template <class Function>
OfferedTool offered(const Function& function, std::size_t index, const ToolSpelling& spelling) {
  return {.param = "tools[" + std::to_string(index) + "]" + std::string(spelling.function) + ".parameters",
          .name = function.name,
          .description = function.description.value_or(""),
          .parameters = function.parameters ? &*function.parameters : nullptr,
          .strict = function.strict.value_or(false)};
}

/// Restricts calls as the tool choice of `document` says, which has been checked. `tools` keeps views of it.
void apply_tool_choice(ToolRequest& tools, const Document& document, const ToolSpelling& spelling);

/// The calls of the answer, none if it is text; or what is wrong with a function's parameters. "auto" calls
/// the functions that the question is about, and none after results; "required" the most relevant one. The
/// least called ones come first, so that a client that waits for a certain call terminates.
OrRefusal<std::vector<Part>> plan_calls(const ToolRequest& request, const Dialect& dialect,
                                        const std::shared_ptr<const LanguageModel>& model);

}  // namespace inferwire::inline v0_1::engine
