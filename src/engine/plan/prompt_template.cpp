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

/// Calls `visit(text)` for the text between variables, and `visit_name(name)` for each variable.
template <class Visit, class VisitName>
void each_piece(std::string_view text, Visit visit, VisitName visit_name) {
  for (;;) {
    const auto begin = text.find("{{");
    const auto end = begin == text.npos ? begin : text.find("}}", begin);
    if (end == text.npos) return visit(text);
    visit(text.substr(0, begin));
    visit_name(text.substr(begin + 2, end - begin - 2));
    text.remove_prefix(end + 2);
  }
}

}  // namespace

OrRefusal<std::optional<std::string>> instructions_of(const Document& request,
                                                      std::span<const PromptTemplate> templates) {
  const auto* prompt = member(request, "prompt");
  if (prompt == nullptr) return std::nullopt;
  const Place root, here = root.member("prompt"), place = here.member("variables");
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
  std::set<std::string, std::less<>> used;
  std::optional<Refusal> offence;
  each_piece(
      found->instructions, [&](std::string_view text) { instructions += text; },
      [&](std::string_view name) {
        used.emplace(name);
        const auto* variable = variables != nullptr ? member(*variables, name) : nullptr;
        const auto* text = variable != nullptr ? text_of(*variable) : nullptr;
        if (text != nullptr) {
          instructions += text->get_ref<const std::string&>();
        } else if (!offence) {
          const auto param = place.member(name).text();
          offence = variable == nullptr ? refuse::missing(param)
                                        : refuse::wrong_type(param, "a string", kind_of(*variable));
        }
      });
  if (offence) return *std::move(offence);
  if (variables != nullptr) {
    for (const auto& [name, value] : variables->items()) {
      if (used.contains(name)) continue;
      return refuse::invalid_value(place.member(name).text(), "the prompt template has no such variable");
    }
  }
  return instructions;
}

}  // namespace inferwire::inline v0_1::engine
