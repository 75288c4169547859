// Reads scripts that are written as JSON, for programs in other languages: examples/script.json.
#include "engine/document.hpp"
#include "engine/script/expression.hpp"
#include "inferwire/engine/script.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::engine {
namespace {

/// Longer than any client waits, yet one such wait per token of an answer does not overflow the clock.
constexpr Duration longest_wait = std::chrono::hours(24);

/// An error, thrown inside parse_script.
struct Wrong {
  std::string path;
  std::string detail;
};

/// A value of the script and its position.
class ScriptNode {
 public:
  ScriptNode(const OrderedJson& value, std::string path) : value_(value), path_(std::move(path)) {}

  [[noreturn]] void refuse(std::string detail) const { throw Wrong{path_, std::move(detail)}; }

  std::string string() const {
    if (!value_.is_string()) refuse("expected a string");
    return value_.get<std::string>();
  }
  bool boolean() const {
    if (!value_.is_boolean()) refuse("expected true or false");
    return value_.get<bool>();
  }
  double number() const {
    if (!value_.is_number()) refuse("expected a number");
    return value_.get<double>();
  }
  float number_in_float() const {
    const auto narrow = static_cast<float>(number());
    if (!std::isfinite(narrow)) refuse("expected a number that a float can hold");
    return narrow;
  }
  double rate() const {
    const auto rate = number();
    if (rate < 0 || rate > 1) refuse("expected a number in [0, 1]");
    return rate;
  }
  std::uint64_t count() const {
    if (!value_.is_number_unsigned()) refuse("expected an integer that is not negative");
    return value_.get<std::uint64_t>();
  }
  std::int64_t count_to(std::int64_t most) const {
    const auto number = count();
    if (number > static_cast<std::uint64_t>(most)) refuse("expected at most " + std::to_string(most));
    return static_cast<std::int64_t>(number);
  }
  Duration milliseconds() const { return Duration(count_to(longest_wait.count())); }
  int status(std::uint64_t least) const {
    const auto status = count();
    if (status < least || status > 599) refuse("expected a status from " + std::to_string(least) + " to 599");
    return static_cast<int>(status);
  }
  std::string json() const { return print(value_); }
  /// A string's text; anything else as JSON.
  std::string text() const { return value_.is_string() ? string() : print(value_); }

  template <class Take>
  void each(Take take) const {
    if (!value_.is_array()) refuse("expected a list");
    for (std::size_t i = 0; i < value_.size(); ++i) {
      take(ScriptNode(value_[i], path_ + "[" + std::to_string(i) + "]"));
    }
  }
  template <class Take>
  void each_member(Take take) const {
    if (!value_.is_object()) refuse("expected an object");
    for (const auto& item : value_.items()) {
      take(item.key(), ScriptNode(item.value(), (path_.empty() ? "" : path_ + ".") + item.key()));
    }
  }

 private:
  const OrderedJson& value_;
  std::string path_;
};

struct Field {
  std::string_view name;
  std::function<void(const ScriptNode&)> take;
};

/// Passes every member of an object to its field; a member without one is refused as a typing error.
void read(const ScriptNode& node, std::initializer_list<Field> fields) {
  node.each_member([&](const std::string& name, const ScriptNode& value) {
    for (const auto& field : fields) {
      if (field.name == name) return field.take(value);
    }
    value.refuse("there is no such member");
  });
}

/// A member whose value is what `make` returns for it.
template <class To, class Make>
Field one(std::string_view name, To& to, Make make) {
  return {name, [&to, make](const ScriptNode& node) { to = std::invoke(make, node); }};
}
/// A member that is a list, of what `make` returns for each element.
template <class To, class Make>
Field many(std::string_view name, std::vector<To>& to, Make make) {
  return {name, [&to, make](const ScriptNode& node) {
            node.each([&](const ScriptNode& element) { to.push_back(std::invoke(make, element)); });
          }};
}

Field words(std::string_view name, std::string& to) { return one(name, to, &ScriptNode::string); }
Field flag(std::string_view name, bool& to) { return one(name, to, &ScriptNode::boolean); }
template <class To>
Field count(std::string_view name, To& to) {
  return one(name, to, &ScriptNode::count);
}
Field rate(std::string_view name, double& to) { return one(name, to, &ScriptNode::rate); }
Field milliseconds(std::string_view name, Duration& to) { return one(name, to, &ScriptNode::milliseconds); }
Field headers(std::string_view name, std::vector<Header>& to) {
  return {name, [&to](const ScriptNode& node) {
            node.each_member([&](const std::string& key, const ScriptNode& value) {
              to.push_back({key, value.string()});
            });
          }};
}

std::string expression(const ScriptNode& node) {
  auto text = node.string();
  if (!is_expression(text)) node.refuse("it is no regular expression");
  return text;
}

void check_pointer(const std::string& name, const ScriptNode& node) {
  try {
    const OrderedJson::json_pointer pointer(name);
  } catch (const OrderedJson::parse_error&) {
    node.refuse("expected a JSON pointer for its name, such as \"/model\"");
  }
}

Matcher matcher(const ScriptNode& node) {
  Matcher out;
  read(node, {words("method", out.method),
              words("path", out.path),
              words("model", out.model),
              headers("headers", out.headers),
              words("last_user_contains", out.last_user_contains),
              one("last_user_matches", out.last_user_matches, &expression),
              words("system_contains", out.system_contains),
              words("any_text_contains", out.any_text_contains),
              words("tool", out.tool),
              words("tool_call_id", out.tool_call_id),
              words("tool_result_contains", out.tool_result_contains),
              words("response_format", out.response_format),
              one("stream", out.stream, &ScriptNode::boolean),
              {"body", [&](const ScriptNode& value) {
                 value.each_member([&](const std::string& pointer, const ScriptNode& wanted) {
                   check_pointer(pointer, wanted);
                   out.body.push_back({pointer, wanted.json()});
                 });
               }}});
  return out;
}

reply::Body body(const ScriptNode& node) {
  reply::Body out;
  read(node, {one("bytes", out.bytes, &ScriptNode::text), words("content_type", out.content_type),
              one("status", out.status, [](const ScriptNode& value) { return value.status(100); }),
              headers("headers", out.headers), flag("streamed", out.streamed)});
  return out;
}

reply::Failure failure(const ScriptNode& node) {
  reply::Failure out;
  read(node, {one("status", out.status, [](const ScriptNode& value) { return value.status(400); }),
              words("message", out.message), one("retry_after", out.retry_after, [](const ScriptNode& value) {
                return value.count_to(std::numeric_limits<std::int64_t>::max());
              })});
  return out;
}

reply::Call call(const ScriptNode& node) {
  reply::Call out;
  read(node, {words("name", out.name), one("arguments", out.arguments, &ScriptNode::text)});
  return out;
}

reply::Message message(const ScriptNode& node) {
  reply::Message out;
  read(node, {words("text", out.text), many("parts", out.parts, &ScriptNode::json),
              many("calls", out.calls, &call)});
  return out;
}

reply::Row row(const ScriptNode& node) {
  reply::Row out;
  node.each([&](const ScriptNode& value) { out.values.push_back(value.number_in_float()); });
  if (out.values.empty()) node.refuse("expected at least one number");
  return out;
}

/// An object of one member, whose name is the kind of reply.
Reply reply_of(const ScriptNode& node) {
  Reply out;
  int kinds = 0;
  const auto kind = [&](std::string_view name, auto make) {
    return Field{name, [&out, &kinds, make](const ScriptNode& value) {
                   out = make(value);
                   ++kinds;
                 }};
  };
  read(node, {kind("generate", [](const ScriptNode&) { return reply::Generate(); }),
              kind("text", [](const ScriptNode& value) { return reply::Text{value.string()}; }),
              kind("message", &message), kind("body", &body), kind("failure", &failure), kind("row", &row)});
  if (kinds != 1) node.refuse("expected one of generate, text, message, body, failure, row");
  return out;
}

Fault fault(const ScriptNode& node) {
  Fault out;
  read(node,
       {milliseconds("delay_ms", out.delay), count("cut_after_events", out.cut_after_events),
        count("cut_after_bytes", out.cut_after_bytes), count("error_after_events", out.error_after_events),
        count("stall_after_events", out.stall_after_events), flag("no_end_mark", out.no_end_mark),
        flag("no_finish_reason", out.no_finish_reason), flag("no_usage", out.no_usage),
        flag("repeat_events", out.repeat_events), flag("empty_choices", out.empty_choices),
        flag("comments", out.comments), flag("crlf", out.crlf), flag("byte_order_mark", out.byte_order_mark),
        flag("no_space", out.no_space), count("write_bytes", out.write_bytes),
        milliseconds("write_every_ms", out.write_every), flag("one_write", out.one_write),
        words("content_type", out.content_type)});
  return out;
}

std::chrono::nanoseconds time_per_token(const ScriptNode& node) {
  const auto rate = node.number();
  if (!(rate > 0)) node.refuse("expected a number greater than 0");
  const std::chrono::duration<double> wait(1 / rate);
  if (wait > longest_wait) node.refuse("expected at least a token a day");
  return std::chrono::nanoseconds(std::llround(1e9 / rate));
}

Pacing pacing(const ScriptNode& node) {
  Pacing out;
  read(node, {milliseconds("first_token_ms", out.first_token),
              one("tokens_per_second", out.per_token, &time_per_token), rate("jitter", out.jitter)});
  return out;
}

Rule rule(const ScriptNode& node) {
  Rule out;
  read(node, {words("name", out.name), one("when", out.when, &matcher), count("skip", out.skip),
              count("times", out.times), many("replies", out.replies, &reply_of),
              one("fault", out.fault, &fault), one("pacing", out.pacing, &pacing)});
  return out;
}

Chaos chaos(const ScriptNode& node) {
  Chaos out;
  read(node, {rate("failures", out.failures), rate("cuts", out.cuts), rate("stalls", out.stalls),
              rate("slow_starts", out.slow_starts)});
  return out;
}

Error wrong(std::string path, std::string detail) {
  return {.kind = ErrorKind::decode, .detail = std::move(detail), .path = std::move(path)};
}

}  // namespace

Result<Script> parse_script(std::string_view json) {
  try {
    const auto document = parse_ordered_json(json);
    Script out;
    read(ScriptNode(document, ""),
         {many("rules", out.rules, &rule), flag("strict", out.strict), one("chaos", out.chaos, &chaos)});
    return out;
  } catch (const Wrong& what) {
    return wrong(what.path, what.detail);
  } catch (const OrderedJson::parse_error& error) {
    return wrong("", "syntax error at byte " + std::to_string(error.byte));
  } catch (const OrderedJson::exception&) {
    return wrong("", "a value cannot be read");
  }
}

}  // namespace inferwire::inline v0_1::engine
