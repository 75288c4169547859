#include "engine/plan/tool_plan.hpp"

#include "engine/plan/output_format.hpp"
#include "engine/plan/sampling_plan.hpp"
#include "engine/utf8.hpp"
#include "inferwire/engine/embedding_model.hpp"
#include "protocol/rules/rule_words.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

/// Unrelated texts stay below this similarity.
constexpr float relevant = 0.15F;
constexpr std::size_t most_calls = 4;
constexpr std::size_t longest_name = 1024;  // longer than any provider's; the answer contains it
/// The most JSON values in the parameters of all tools together.
constexpr std::size_t most_values = 50'000;
/// The most work of compiling the parameters of all tools: 1 for each limit that a schema reaches.
constexpr double most_work = 20;

/// AI21 documents types of its own: "float" and "enum".
void use_standard_types(Schema& schema) {
  if (!schema.is_structured()) return;
  if (const auto type = schema.find("type"); schema.is_object() && type != schema.end()) {
    if (*type == "float") *type = "number";
    if (*type == "enum") *type = "string";
  }
  for (auto& inner : schema) use_standard_types(inner);
}

/// The schema of a tool's parameters; if it or its type is missing, that of an object.
Schema parameters_of(const OfferedTool& tool, const Dialect& dialect) {
  auto schema = tool.parameters != nullptr ? ordered_json_of(tool.parameters->text()) : Schema::object();
  if (dialect.tools.loose_types) use_standard_types(schema);
  if (schema.is_object() && !schema.contains("type")) schema["type"] = "object";
  return schema;
}

/// Why a schema cannot describe parameters; empty if it can.
std::string fault_of(const Schema& schema) {
  const auto type = schema.is_object() ? schema["type"] : Schema();
  if (type == "object") return {};
  return "schema must be a JSON Schema of 'type: \"object\"', got 'type: " + print(type) + "'";
}

/// A text about the tool: its name, description and parameters.
std::string words_of(const OfferedTool& tool, const Dialect& dialect) {
  std::string words = tool.name + " " + tool.description;
  const auto schema = parameters_of(tool, dialect);
  if (schema.is_object() && schema.contains("properties") && schema["properties"].is_object()) {
    for (const auto& [name, value] : schema["properties"].items()) words += " " + name;
  }
  std::ranges::replace_if(words, [](char c) { return c == '_' || c == '-' || c == '.'; }, ' ');
  return words;
}

std::vector<float> vector_of(std::string_view text) {
  const auto model = toy_embedding_model();
  std::vector<float> vector(static_cast<std::size_t>(model->dimensions()));
  model->embed(text, "", vector);
  return vector;
}

float similarity(const std::vector<float>& a, const std::vector<float>& b) {
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Refusal refusal_of(const OfferedTool& tool, std::string_view problem) {
  return refuse::invalid_schema(Cause::invalid_function_parameters, tool.param,
                                "function '" + tool.name + "'", problem);
}

/// Refuses parameters that would take too long to parse.
std::optional<Refusal> check_sizes(const ToolRequest& request) {
  std::size_t all = 0;
  for (const auto& tool : request.tools) {
    const auto own = tool.parameters != nullptr ? values_in(tool.parameters->text()) : 0;
    all += own;
    if (own > most_schema_values || all > most_values) return refusal_of(tool, too_many_parts);
  }
  return std::nullopt;
}

using Chosen = std::vector<const OfferedTool*>;

/// The allowed tools that have been called least.
Chosen least_called(const ToolRequest& request) {
  Chosen least;
  int calls = 0;
  for (const auto& tool : request.tools) {
    if (!tool.allowed) continue;
    const auto found = request.calls.find(tool.name);
    const auto own = found != request.calls.end() ? found->second : 0;
    if (least.empty() || own < calls) {
      least.clear();
      calls = own;
    }
    if (own == calls) least.push_back(&tool);
  }
  return least;
}

/// The tools that the question is about, the nearest first; with `at_least_one`, the nearest in any case.
Chosen nearest(const ToolRequest& request, const Dialect& dialect, bool at_least_one) {
  struct Scored {
    float score;
    const OfferedTool* tool;
  };
  const auto question = vector_of(request.question);
  std::vector<Scored> all;
  for (const auto* tool : least_called(request)) {
    all.push_back({similarity(question, vector_of(words_of(*tool, dialect))), tool});
  }
  std::ranges::sort(all, [](const Scored& a, const Scored& b) {
    return a.score != b.score ? a.score > b.score : a.tool < b.tool;
  });
  const std::size_t most = request.several ? most_calls : 1;
  Chosen chosen;
  for (const auto& [score, tool] : all) {
    const bool wanted = score >= relevant || (at_least_one && chosen.empty());
    if (wanted && chosen.size() < most) chosen.push_back(tool);
  }
  return chosen;
}

Chosen chosen_by(const ToolRequest& request, const Dialect& dialect) {
  if (!request.named.empty()) {
    const auto found = std::ranges::find(request.tools, request.named, &OfferedTool::name);
    return found == request.tools.end() ? Chosen() : Chosen{&*found};
  }
  if (request.choice == "required") return nearest(request, dialect, true);
  return request.choice == "none" || request.has_results ? Chosen() : nearest(request, dialect, false);
}

/// The member of a tool or a choice in its object `function`, which may be nested twice: in a choice,
/// Databricks' documentation does that.
const Document* part_of_function(const Document& value, std::string_view name) {
  const auto* function = member(value, "function");
  if (function == nullptr) return nullptr;
  const auto* found = member(*function, name);
  return found != nullptr ? found : part_of_function(*function, name);
}

/// The member of a tool or a choice next to `type`, or in an object `function`.
const Document* flat_or_nested(const Document& value, std::string_view name) {
  return member(value, "function") != nullptr ? part_of_function(value, name) : member(value, name);
}

std::string_view name_of(const Document& tool, const ToolSpelling& spelling) {
  return text(spelling.part_of(tool, "name"));
}

std::optional<Refusal> check_tool(const Document& tool, const std::string& place,
                                  const ToolSpelling& spelling) {
  const auto* name = spelling.part_of(tool, "name");
  if (name == nullptr) return refuse::missing(place + ".name");
  const auto size = text(name).size();
  if (size <= longest_name) return std::nullopt;
  return refuse::too_many(place + ".name", longest_name, "bytes", size);
}

bool has_named(const Document& tools, std::string_view name, const ToolSpelling& spelling) {
  return std::ranges::any_of(tools, [&](const Document& tool) { return name_of(tool, spelling) == name; });
}

/// The part of a choice that lists the allowed tools; nullptr: it has none.
const Document* allowed_of(const Document& choice, const ToolSpelling& spelling) {
  return spelling.allowed.empty() ? &choice : member(choice, spelling.allowed);
}

/// Checks that the tool that a choice names at `place` is one of `tools`, which may be nullptr.
std::optional<Refusal> check_named_tool(std::string_view name, std::string place, const Document* tools,
                                        const ToolSpelling& spelling) {
  if (tools != nullptr && has_named(*tools, name, spelling)) return std::nullopt;
  return refuse::invalid_value(std::move(place), "'" + shortened(name) + "' is not one of 'tools'");
}

std::optional<Refusal> check_allowed_tools(const Document& choice, const Document* tools,
                                           const ToolSpelling& spelling) {
  const Place outer{.name = "tool_choice"}, inner = outer.member(spelling.allowed);
  const auto& place = spelling.allowed.empty() ? outer : inner;
  const auto* allowed = allowed_of(choice, spelling);
  if (allowed == nullptr) return refuse::missing(place.text());
  const auto mode = text(member(*allowed, "mode"));
  if (mode != "auto" && mode != "required") {
    return refuse::invalid_value(place.member("mode").text(), "expected one of 'auto', 'required'");
  }
  const auto* names = member(*allowed, "tools");
  const auto here = place.member("tools");
  if (names == nullptr || !names->is_array() || names->empty()) return refuse::missing(here.text());
  for (std::size_t i = 0; i < names->size(); ++i) {
    const auto name = name_of((*names)[i], spelling);
    if (auto bad = check_named_tool(name, here.element(i).text(), tools, spelling)) return bad;
  }
  return std::nullopt;
}

}  // namespace

constinit const ToolSpelling nested_spelling{
    .part_of = &part_of_function, .function = ".function", .allowed = "allowed_tools"};
constinit const ToolSpelling flat_spelling{.part_of = &flat_or_nested};

std::optional<Refusal> check_tools(const Document& document, const ToolSpelling& spelling) {
  const auto* tools = member(document, "tools");
  for (std::size_t i = 0; tools != nullptr && i < tools->size(); ++i) {
    const auto place = "tools[" + std::to_string(i) + "]" + std::string(spelling.function);
    if (auto bad = check_tool((*tools)[i], place, spelling)) return bad;
  }
  return std::nullopt;
}

std::optional<Refusal> check_tool_choice(const Document& document, const ToolSpelling& spelling,
                                         const Dialect& dialect) {
  const auto* choice = member(document, "tool_choice");
  if (choice == nullptr) return std::nullopt;
  const auto* tools = member(document, "tools");
  const auto without_tools = tools == nullptr || tools->empty()
                                 ? refuse::invalid_value("tool_choice", protocol::only_with_tools->problem)
                                 : std::optional<Refusal>();
  if (choice->is_string()) {
    const auto word = text(choice);
    if (word == "none" || word == "auto") return std::nullopt;
    if (word == "required") return without_tools;
    return refuse::invalid_value(
        "tool_choice", "expected one of 'none', 'auto', 'required', but got '" + shortened(word) + "'");
  }
  if (!choice->is_object()) {
    return refuse::wrong_type("tool_choice", "a string or an object", kind_of(*choice));
  }
  const auto type = text(member(*choice, "type"));
  if (dialect.tools.allowed_tools && type == "allowed_tools")
    return check_allowed_tools(*choice, tools, spelling);
  if (type != "function") return refuse::invalid_value("tool_choice.type", "expected 'function'");
  const auto name = name_of(*choice, spelling);
  const auto place = "tool_choice" + std::string(spelling.function) + ".name";
  if (name.empty()) return refuse::missing(place);
  return without_tools ? without_tools : check_named_tool(name, place, tools, spelling);
}

bool ends_with_results(std::span<const ChatTurn> turns) {
  const auto last =
      std::find_if(turns.rbegin(), turns.rend(), [](const ChatTurn& turn) { return turn.role != "system"; });
  return last != turns.rend() && last->role == "tool";
}

void apply_tool_choice(ToolRequest& tools, const Document& document, const ToolSpelling& spelling) {
  const auto* choice = member(document, "tool_choice");
  if (choice == nullptr) return;
  if (choice->is_string()) {
    tools.choice = text(choice);
  } else if (text(member(*choice, "type")) == "allowed_tools") {
    const auto& allowed = *allowed_of(*choice, spelling);
    tools.choice = text(member(allowed, "mode"));
    for (auto& tool : tools.tools) tool.allowed = has_named(*member(allowed, "tools"), tool.name, spelling);
  } else {
    tools.named = name_of(*choice, spelling);
  }
}

OrRefusal<std::vector<Part>> plan_calls(const ToolRequest& request, const Dialect& dialect,
                                        const std::shared_ptr<const LanguageModel>& model) {
  std::vector<Part> parts;
  if (request.tools.empty()) return parts;
  if (auto bad = check_sizes(request)) return *std::move(bad);
  const auto chosen = chosen_by(request, dialect);
  // All schemas must be valid, even those of functions that are not called.
  parts.resize(chosen.size());
  double work = 0;
  for (const auto& tool : request.tools) {
    const auto schema = parameters_of(tool, dialect);
    if (const auto fault = fault_of(schema); !fault.empty()) return refusal_of(tool, fault);
    auto compiled = compile_schema(schema, strictness_of(tool.strict, dialect), vocabulary_of(model), &work);
    if (const auto* fault = std::get_if<SchemaFault>(&compiled)) return refusal_of(tool, fault->message());
    if (work > most_work) return refusal_of(tool, "it is too complex, with the tools before it");
    const auto place = std::ranges::find(chosen, &tool);
    if (place == chosen.end()) continue;
    parts[static_cast<std::size_t>(place - chosen.begin())] = {.kind = Part::Kind::call,
                                                               .name = tool.name,
                                                               .lead = tool.name + "(",
                                                               .grammar = std::get<0>(std::move(compiled))};
  }
  return parts;
}

}  // namespace inferwire::inline v0_1::engine
