#include "json/edit.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "json/codec.hpp"
#include "json/scanner.hpp"
#include "json/text.hpp"

namespace inferwire::inline v0_1::json {
namespace {

Error refusal(std::string_view pointer, std::string detail) {
  return Error{.kind = ErrorKind::invalid_request, .detail = std::move(detail), .path = std::string(pointer)};
}

std::optional<std::size_t> index_of(std::string_view token) {
  std::size_t index{};
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  const bool plain = !token.empty() && (token.size() == 1 || token.front() != '0');
  if (!plain || error != std::errc{} || end != token.data() + token.size()) return std::nullopt;
  return index;
}

/// A piece of the document.
struct Span {
  std::size_t begin{};
  std::size_t end{};
};

/// One step down from a container: the item that the token names, or where it would be.
struct Step {
  bool found{};
  bool possible{};  ///< it is not there, but could be added at the end
  bool in_object{};
  bool alone{true};  ///< the container has no other item
  bool first{};
  Span item{};  ///< the member with its key, or the element
  Span value{};
  std::size_t before{};  ///< the end of the item before it
  std::size_t after{};   ///< the begin of the item behind it; 0: there is none
  std::size_t close{};   ///< the place for a new item: before the closing bracket
};

Step step_down(std::string_view document, Span container, std::string_view token) {
  const auto text = document.substr(container.begin, container.end - container.begin);
  Items items(text);
  Step step{.in_object = items.is_object(), .close = container.end - 1};
  const auto wanted = index_of(token);
  std::size_t count = 0;
  std::size_t end_before = container.begin + 1;
  while (items.next()) {
    const auto begin_of = [&](std::string_view part) {
      return static_cast<std::size_t>(part.data() - document.data());
    };
    const Span value{begin_of(items.value()), begin_of(items.value()) + items.value().size()};
    const Span item{step.in_object ? begin_of(items.raw_key()) - 1 : value.begin, value.end};
    if (step.found && step.after == 0) step.after = item.begin;
    const bool hit = step.in_object ? items.key() == token : wanted == count;
    if (hit) {
      step.found = true;
      step.first = count == 0;
      step.item = item;
      step.value = value;
      step.before = end_before;
      step.after = 0;
    }
    end_before = item.end;
    ++count;
  }
  step.alone = count == (step.found ? 1U : 0U);
  step.possible = step.in_object || token == "-" || wanted == count;
  return step;
}

std::string as_string(std::string_view name) {
  std::string out;
  append_string(out, name);
  return out;
}

bool is_container(std::string_view document, Span span) {
  const char first = document[span.begin];
  return first == '{' || first == '[';
}

enum class Edit : std::uint8_t { set, replace, remove };

Result<void> edit(std::string& document, std::string_view pointer, std::string_view value, Edit kind) {
  const auto tokens = tokens_of(pointer);
  if (!tokens) return refusal(pointer, "not a JSON pointer: it begins with / and escapes ~ as ~0, / as ~1");
  if (kind != Edit::remove) {
    if (auto checked = check(value); !checked) {
      return refusal(pointer, "not well-formed JSON: " + std::move(checked).error().detail);
    }
  }
  if (tokens->empty()) {
    if (kind == Edit::remove) return refusal(pointer, "the whole body cannot be removed");
    document = value;
    return {};
  }
  const auto whole = trim(document);
  Span here{static_cast<std::size_t>(whole.data() - document.data()), 0};
  here.end = here.begin + whole.size();
  for (std::size_t level = 0; level < tokens->size(); ++level) {
    const std::string& token = (*tokens)[level];
    const bool last = level + 1 == tokens->size();
    if (here.begin == here.end || !is_container(document, here)) {
      if (kind == Edit::remove) return {};
      return refusal(pointer, "'" + token + "' would be inside a value that is no object and no array");
    }
    const auto step = step_down(document, here, token);
    if (step.found && !last) {
      here = step.value;
      continue;
    }
    if (kind == Edit::remove) {
      if (!step.found) return {};
      // The comma before it goes, too, or the one behind it when it is the first.
      const Span gone = step.first && step.after != 0
                            ? Span{step.item.begin, step.after}
                            : Span{step.first ? step.item.begin : step.before, step.item.end};
      document.erase(gone.begin, gone.end - gone.begin);
      return {};
    }
    if (step.found) {
      document.replace(step.value.begin, step.value.end - step.value.begin, value);
      return {};
    }
    if (kind == Edit::replace) return refusal(pointer, "there is no '" + token + "' to replace");
    if (!step.possible)
      return refusal(pointer, "there is no element '" + token + "', nor is it the next one");
    std::string added = step.alone ? "" : ",";
    if (step.in_object) (added += as_string(token)) += ':';
    for (std::size_t i = level + 1; i < tokens->size(); ++i) (added += '{') += as_string((*tokens)[i]) + ':';
    added += value;
    added.append(tokens->size() - level - 1, '}');
    document.insert(step.close, added);
    return {};
  }
  return {};
}

}  // namespace

std::optional<std::vector<std::string>> tokens_of(std::string_view pointer) {
  std::vector<std::string> tokens;
  if (pointer.empty()) return tokens;
  if (pointer.front() != '/') return std::nullopt;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    const char c = pointer[i];
    if (c == '/') {
      tokens.emplace_back();
    } else if (c != '~') {
      tokens.back() += c;
    } else if (++i < pointer.size() && (pointer[i] == '0' || pointer[i] == '1')) {
      tokens.back() += pointer[i] == '0' ? '~' : '/';
    } else {
      return std::nullopt;
    }
  }
  return tokens;
}

Result<void> set(std::string& document, std::string_view pointer, std::string_view value) {
  return edit(document, pointer, value, Edit::set);
}

Result<void> replace(std::string& document, std::string_view pointer, std::string_view value) {
  return edit(document, pointer, value, Edit::replace);
}

Result<void> remove(std::string& document, std::string_view pointer) {
  return edit(document, pointer, {}, Edit::remove);
}

}  // namespace inferwire::inline v0_1::json
