#include "json/edit.hpp"

#include "base/decimal.hpp"
#include "json/codec.hpp"
#include "json/scanner.hpp"
#include "json/text.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::json {
namespace {

Error refusal(std::string_view pointer, std::string detail) {
  return Error{.kind = ErrorKind::invalid_request, .detail = std::move(detail), .path = std::string(pointer)};
}

/// A range of the document.
struct Span {
  std::size_t begin{};
  std::size_t end{};
};

/// One step down from a container: to the item with the token's name, or to where it would be.
struct Step {
  bool found{};
  Span value{};
  Span gone{};  ///< the item with the comma before it; for the first one, the comma after it
  // For an item to be added:
  bool in_object{};
  bool empty{};         ///< the container has no item
  bool possible{};      ///< it could be added at the end
  std::size_t close{};  ///< the closing bracket before which it is added
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
    const std::size_t begin = step.in_object ? begin_of(items.raw_key()) - 1 : value.begin;
    if (step.in_object ? items.key() == token : wanted == count) {
      step.found = true;
      step.value = value;
      step.gone = {count == 0 ? begin : end_before, value.end};
    } else if (step.found && count == 1) {
      step.gone.end = begin;
    }
    end_before = value.end;
    ++count;
  }
  step.empty = count == 0;
  step.possible = step.in_object || token == "-" || wanted == count;
  return step;
}

bool is_container(std::string_view document, Span span) {
  const char first = document[span.begin];
  return first == '{' || first == '[';
}

/// The result of following a pointer.
struct Located {
  enum class Kind : std::uint8_t {
    found,
    missing,  ///< the last container exists but does not have the item
    blocked,  ///< the path leads through a value that is not a container
  };

  Kind kind{};
  std::vector<std::string> tokens{};
  std::size_t level{};  ///< the index of the last token that was looked up
  Step step{};

  const std::string& token() const { return tokens[level]; }
};

Result<Located> locate(std::string_view document, std::string_view pointer) {
  auto tokens = tokens_of(pointer);
  if (!tokens) return refusal(pointer, "not a JSON pointer: it begins with / and escapes ~ as ~0, / as ~1");
  Located at{.tokens = *std::move(tokens), .step = {.value = {0, document.size()}}};
  const auto whole = trim(document);
  Span here{static_cast<std::size_t>(whole.data() - document.data()), 0};
  here.end = here.begin + whole.size();
  for (; at.level < at.tokens.size(); ++at.level) {
    if (here.begin == here.end || !is_container(document, here)) {
      at.kind = Located::Kind::blocked;
      return at;
    }
    at.step = step_down(document, here, at.token());
    if (!at.step.found) {
      at.kind = Located::Kind::missing;
      return at;
    }
    here = at.step.value;
  }
  return at;
}

/// The location for `value`; an error if it cannot be set there.
Result<Located> locate(std::string_view document, std::string_view pointer, std::string_view value) {
  auto at = locate(document, pointer);
  if (!at) return at;
  if (auto checked = check(value); !checked) {
    return refusal(pointer, "not well-formed JSON: " + std::move(checked).error().detail);
  }
  if (at->kind == Located::Kind::blocked) {
    return refusal(pointer, "'" + at->token() + "' would be inside a value that is no object and no array");
  }
  return at;
}

void put(std::string& document, const Step& step, std::string_view value) {
  document.replace(step.value.begin, step.value.end - step.value.begin, value);
}

/// The new item of a container; the remaining tokens become objects around `value`.
std::string item_of(const Located& at, std::string_view value) {
  std::string item = at.step.empty ? "" : ",";
  const auto name = [&item](const std::string& token) {
    append_string(item, token);
    item += ':';
  };
  if (at.step.in_object) name(at.token());
  const auto inner = std::span(at.tokens).subspan(at.level + 1);
  for (const std::string& token : inner) {
    item += '{';
    name(token);
  }
  item += value;
  item.append(inner.size(), '}');
  return item;
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

std::optional<std::size_t> index_of(std::string_view token) noexcept {
  const bool is_plain = token.size() == 1 || !token.starts_with('0');
  return is_plain ? parse_integer<std::size_t>(token) : std::nullopt;
}

Result<void> set(std::string& document, std::string_view pointer, std::string_view value) {
  auto at = locate(document, pointer, value);
  if (!at) return std::move(at).error();
  if (at->kind == Located::Kind::found) {
    put(document, at->step, value);
    return {};
  }
  if (!at->step.possible) {
    return refusal(pointer, "there is no element '" + at->token() + "', nor is it the next one");
  }
  document.insert(at->step.close, item_of(*at, value));
  return {};
}

Result<void> replace(std::string& document, std::string_view pointer, std::string_view value) {
  auto at = locate(document, pointer, value);
  if (!at) return std::move(at).error();
  if (at->kind == Located::Kind::missing) {
    return refusal(pointer, "there is no '" + at->token() + "' to replace");
  }
  put(document, at->step, value);
  return {};
}

Result<void> remove(std::string& document, std::string_view pointer) {
  auto at = locate(document, pointer);
  if (!at) return std::move(at).error();
  if (at->tokens.empty()) return refusal(pointer, "the whole body cannot be removed");
  const auto& gone = at->step.gone;
  if (at->kind == Located::Kind::found) document.erase(gone.begin, gone.end - gone.begin);
  return {};
}

}  // namespace inferwire::inline v0_1::json
