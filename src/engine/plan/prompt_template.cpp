#include "engine/plan/prompt_template.hpp"

#include <set>
#include <string_view>

namespace inferwire::inline v0_1::engine {
namespace {

/// The last template with this id and, if given, this version; nullptr if there is none.
const PromptTemplate* find(std::span<const PromptTemplate> templates, std::string_view id,
                           const Document* version) {
  const PromptTemplate* found = nullptr;
  for (const auto& candidate : templates) {
    if (candidate.id != id) continue;
    if (version == nullptr || *version == candidate.version.c_str()) found = &candidate;
  }
  return found;
}

/// The text of a variable; nullptr if it is not text.
const Document* text_of(const Document& variable) {
  if (variable.is_string()) return &variable;
  const auto* type = member(variable, "type");
  const auto* text = member(variable, "text");
  const bool is_text = type != nullptr && *type == "input_text" && text != nullptr && text->is_string();
  return is_text ? text : nullptr;
}

}  // namespace

OrRefusal<std::optional<std::string>> instructions_of(const Document& request,
                                                      std::span<const PromptTemplate> templates) {
  const auto* prompt = member(request, "prompt");
  if (prompt == nullptr) return std::nullopt;
  const Place here{.name = "prompt"}, place = here.member("variables");
  const auto& id = member(*prompt, "id")->get_ref<const std::string&>();
  if (find(templates, id, nullptr) == nullptr) {
    return refuse::invalid_value(here.member("id").text(), "there is no prompt template of this id");
  }
  const auto* found = find(templates, id, member(*prompt, "version"));
  if (found == nullptr) {
    return refuse::invalid_value(here.member("version").text(),
                                 "there is no such version of this prompt template");
  }

  const auto* variables = member(*prompt, "variables");
  std::string instructions;
  std::set<std::string_view> used;
  std::string_view rest = found->instructions;
  for (;;) {
    const auto begin = rest.find("{{");
    const auto end = begin == rest.npos ? begin : rest.find("}}", begin);
    if (end == rest.npos) break;
    const auto name = rest.substr(begin + 2, end - begin - 2);
    const auto* variable = variables != nullptr ? member(*variables, name) : nullptr;
    if (variable == nullptr) return refuse::missing(place.member(name).text());
    const auto* text = text_of(*variable);
    if (text == nullptr) {
      return refuse::wrong_type(place.member(name).text(), "a string", kind_of(*variable));
    }
    instructions.append(rest.substr(0, begin)).append(text->get_ref<const std::string&>());
    used.insert(name);
    rest.remove_prefix(end + 2);
  }
  instructions += rest;
  if (variables != nullptr) {
    for (const auto& [name, value] : variables->items()) {
      if (used.contains(name)) continue;
      return refuse::invalid_value(place.member(name).text(), "the prompt template has no such variable");
    }
  }
  return instructions;
}

}  // namespace inferwire::inline v0_1::engine
