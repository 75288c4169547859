#include "inferwire/tools.hpp"
#include "json/text.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1 {

namespace {

/// Providers refuse the whole request if a schema that is not closed is declared strict.
Optional<bool> strictness(Optional<bool> strict, bool closed) {
  return strict && !closed ? Optional<bool>(false) : strict;
}

}  // namespace

Toolbox& Toolbox::add(std::string name, std::string description, Json parameters, Function function) {
  std::erase_if(tools_, [&name](const Tool& tool) { return tool.name == name; });
  tools_.push_back({std::move(name), std::move(description), std::move(parameters), std::move(function)});
  return *this;
}

Toolbox& Toolbox::add_custom(std::string name, std::string description, TextFunction function,
                             Optional<chat::Grammar> grammar) {
  add(std::move(name), std::move(description), Json(), Function());
  tools_.back().text_function = std::move(function);
  tools_.back().grammar = std::move(grammar);
  return *this;
}

Toolbox& Toolbox::set_strict(bool strict) noexcept {
  strict_ = strict;
  return *this;
}

Json Toolbox::no_parameters() {
  return Json::raw(R"({"type":"object","properties":{},"required":[],"additionalProperties":false})");
}

std::vector<chat::Tool> Toolbox::for_chat() const {
  std::vector<chat::Tool> definitions;
  for (const Tool& tool : tools_) {
    if (tool.text_function) {
      auto& custom = definitions.emplace_back(chat::Tool{.type = "custom"}).custom.emplace();
      custom.name = tool.name;
      custom.description = tool.description;
      if (tool.grammar) custom.format = chat::CustomToolFormat{.type = "grammar", .grammar = tool.grammar};
      continue;
    }
    definitions.push_back({.function = chat::FunctionDefinition{.name = tool.name,
                                                                .description = tool.description,
                                                                .parameters = tool.parameters,
                                                                .strict = strictness(strict_, tool.closed)}});
  }
  return definitions;
}

std::vector<responses::Tool> Toolbox::for_responses() const {
  std::vector<responses::Tool> definitions;
  for (const Tool& tool : tools_) {
    if (tool.text_function) {
      definitions.push_back({.type = "custom", .name = tool.name, .description = tool.description});
      if (tool.grammar) {
        definitions.back().format = responses::CustomToolFormat{
            .type = "grammar", .syntax = tool.grammar->syntax, .definition = tool.grammar->definition};
      }
      continue;
    }
    definitions.push_back({.name = tool.name,
                           .description = tool.description,
                           .parameters = tool.parameters,
                           .strict = strictness(strict_, tool.closed)});
  }
  return definitions;
}

std::string Toolbox::call(std::string_view name, std::string_view arguments) const {
  const auto tool = std::ranges::find(tools_, name, &Tool::name);
  if (tool == tools_.end()) {
    std::string known;
    for (const Tool& one : tools_) known += (known.empty() ? " There are: " : ", ") + one.name;
    return "There is no tool '" + std::string(name) + "'." + known + (known.empty() ? "" : ".");
  }
  const bool blank = arguments.find_first_not_of(" \t\r\n") == std::string_view::npos;
  const bool custom = tool->text_function != nullptr;
  const auto document = Json::parse(blank || custom ? std::string_view("{}") : arguments);
  if (!document) return "The arguments are not JSON: " + document.error().detail + ".";
  if (!document->is_object()) return "The arguments are not a JSON object.";
  try {
    const auto result = custom ? tool->text_function(std::string(arguments)) : tool->function(*document);
    const auto is_text = [](std::string_view text) { return json::invalid_utf8(text) == text.npos; };
    if (result) return is_text(*result) ? *result : "The call failed: its text is not UTF-8.";
    const auto& error = result.error();
    const auto why = error.path.empty() ? error.detail : error.path + ": " + error.detail;
    return is_text(why) ? "The call failed: " + why + "." : "The call failed.";
  } catch (...) {  // the exception's message may not be meant for the model
    return "The call failed.";
  }
}

}  // namespace inferwire::inline v0_1
