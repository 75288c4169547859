#include "base/ascii.hpp"
#include "base/thrown.hpp"
#include "client/tools/shared_calls.hpp"
#include "inferwire/tools.hpp"
#include "json/strict_subset.hpp"
#include "json/text.hpp"

#include <algorithm>
#include <memory>
#include <span>
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

Error tool_error(std::string detail) { return {.kind = ErrorKind::tool, .detail = std::move(detail)}; }

bool is_text(std::string_view text) { return json::invalid_utf8(text) == std::string_view::npos; }

/// The error of a call that could not be made, from the sentences that the model is told.
Error not_made(std::string told) {
  told.front() = ascii::to_lower(told.front());
  told.pop_back();
  return tool_error(std::move(told));
}

/// What the model is told of a function's error.
std::string told_of(const Error& error) {
  const auto why = error.path.empty() ? error.detail : error.path + ": " + error.detail;
  return error.detail.empty() || !is_text(why) ? "The call failed." : "The call failed: " + why + ".";
}

}  // namespace

Toolbox& Toolbox::add(std::string name, std::string description, Json parameters, Function function) {
  std::erase_if(tools_, [&name](const Tool& tool) { return tool.name == name; });
  const bool closed = json::is_strict(parameters);
  tools_.push_back({.name = std::move(name),
                    .description = std::move(description),
                    .parameters = std::move(parameters),
                    .function = std::make_shared<const Function>(std::move(function)),
                    .closed = closed});
  return *this;
}

Toolbox& Toolbox::add_custom(std::string name, std::string description, TextFunction function,
                             Optional<chat::Grammar> grammar) {
  add(std::move(name), std::move(description), Json(), Function());
  if (function) tools_.back().text_function = std::make_shared<const TextFunction>(std::move(function));
  tools_.back().grammar = std::move(grammar);
  return *this;
}

Toolbox& Toolbox::set_strict(bool strict) noexcept {
  strict_ = strict;
  return *this;
}

Toolbox& Toolbox::set_executor(std::shared_ptr<Executor> executor) noexcept {
  executor_ = std::move(executor);
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
  return run({}, std::string(name), std::string(arguments)).result;
}

CalledTool Toolbox::run(std::string id, std::string name, std::string arguments) const {
  CalledTool called{.id = std::move(id), .name = std::move(name), .arguments = std::move(arguments)};
  const auto fail = [&called](Error error, std::string told) {
    called.result = std::move(told);
    called.error = std::move(error);
    return std::move(called);
  };
  const auto tool = std::ranges::find(tools_, called.name, &Tool::name);
  if (tool == tools_.end()) {
    std::string known;
    for (const Tool& one : tools_) known += (known.empty() ? " There are: " : ", ") + one.name;
    const auto told = "There is no tool '" + called.name + "'." + known + (known.empty() ? "" : ".");
    return fail(not_made(told), told);
  }
  const bool blank = called.arguments.find_first_not_of(" \t\r\n") == std::string::npos;
  const auto function = tool->function;
  const auto text_function = tool->text_function;
  const bool custom = text_function != nullptr;
  const auto document = Json::parse(blank || custom ? std::string_view("{}") : called.arguments);
  if (!document || !document->is_object()) {
    const auto told = document ? std::string("The arguments are not a JSON object.")
                               : "The arguments are not JSON: " + document.error().detail + ".";
    return fail(not_made(told), told);
  }
  try {
    auto result = custom ? (*text_function)(called.arguments) : (*function)(*document);
    if (!result) {
      auto told = told_of(result.error());
      return fail(std::move(result).error(), std::move(told));
    }
    if (!is_text(*result)) {
      const auto error = tool_error("its text is not UTF-8");
      return fail(error, told_of(error));
    }
    called.result = *std::move(result);
    return called;
  } catch (...) {  // the exception's message may not be meant for the model
    return fail(tool_error(thrown_by("the tool")), "The call failed.");
  }
}

void Toolbox::run_all(std::span<CalledTool> calls, const CancelToken& cancel) const {
  const auto shared = std::make_shared<client::SharedCalls>(*this, calls, cancel);
  if (const auto executor = executor_) shared->share(*executor);
  shared->finish();
}

}  // namespace inferwire::inline v0_1
