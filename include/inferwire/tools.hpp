/// \file
/// Functions of your program as tools, which a model calls until it has its answer.
///
///     struct Place { std::string city{}; };
///     INFERWIRE_DESCRIBE(Place, city)
///
///     Toolbox tools;
///     tools.add("temperature", "How warm it is in a city, in degrees Celsius",
///               [](const Place& place) { return thermometer(place.city); });
///
///     chat::ToolLoop loop({.model = "m", .messages = {chat::user("How warm is it in Oslo?")}}, tools);
///     const Result<chat::Response> reply = loop.run(client);
#pragma once

#include "inferwire/cancel.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/executor.hpp"
#include "inferwire/responses.hpp"
#include "inferwire/schema.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1 {

namespace detail {

/// The result of a function, as text for the model.
template <class T>
Result<std::string> text_for_model(const T& value) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    if constexpr (std::is_pointer_v<T>) {
      if (value == nullptr) return Error{.kind = ErrorKind::tool, .detail = "it returned no text"};
    }
    return std::string(std::string_view(value));
  } else if constexpr (std::is_same_v<T, Json>) {
    return value.text();
  } else if constexpr (!HasShape<T> && std::is_convertible_v<const T&, Result<std::string>>) {
    return value;
  } else {
    return write_shape(shape_of<T>, &value).transform([](const Json& json) { return json.text(); });
  }
}
template <class T>
Result<std::string> text_for_model(const Result<T>& result) {
  if (!result) return result.error();
  if constexpr (std::is_void_v<T>) {
    return std::string("done");
  } else {
    return text_for_model(*result);
  }
}

template <class F, class... Arguments>
Result<std::string> call_tool(F& function, const Arguments&... arguments) {
  if constexpr (std::is_void_v<std::invoke_result_t<F&, const Arguments&...>>) {
    function(arguments...);
    return std::string("done");
  } else {
    return text_for_model(function(arguments...));
  }
}

/// Calls `function`, and can be copied even if `function` cannot.
template <class... Arguments, class F>
auto copyable_tool(F function) {
  return [function = std::make_shared<F>(std::move(function))](const Arguments&... arguments) {
    return call_tool(*function, arguments...);
  };
}

/// The type of a function's only parameter.
template <class R, class A>
std::remove_cvref_t<A> argument_in(const std::function<R(A)>&);
template <class F>
using ArgumentOf = decltype(argument_in(std::function(std::declval<F>())));
template <class F>
concept TakesStruct = Described<ArgumentOf<F>>;
template <class F, class Arguments>
concept Takes = Described<Arguments> && std::invocable<F&, const Arguments&>;

}  // namespace detail

/// A call of a tool, and its result.
struct CalledTool {
  std::string id{};         ///< the id of the call
  std::string name{};       ///< the name of the function
  std::string arguments{};  ///< the text that the model wrote: JSON, or any text for a custom tool
  std::string result{};     ///< the text that the model will read
  /// Why the call failed; absent if the function returned a result. The function's Error, or one of these
  /// kinds: schema if the arguments do not match the struct; tool for an exception, which the detail quotes,
  /// for arguments that are not a JSON object, a name that no function has, or a text that is absent or not
  /// UTF-8; invalid_request for a result that cannot be written as JSON, such as a NaN; cancelled if the
  /// program cancelled before the call.
  Optional<Error> error{};
};

/// Functions by name, each with the information that a model needs to call it. A function returns text, Json,
/// any type that a member of a described struct may have (numbers, lists, structs), nothing, or a Result of
/// these. The detail of an Error is sent to the model. The text of an exception is not: the model is only
/// told that the function failed; the program finds it in `CalledTool::error`. May be used by several threads
/// at the same time if its functions may, but not while a function is being added. Without an executor, a
/// function may add functions, and replace itself, while it runs. Copies share the functions.
class INFERWIRE_API Toolbox {
 public:
  /// A function that takes its arguments as a JSON object.
  using Function = std::function<Result<std::string>(const Json& arguments)>;

  /// Adds a function that takes a Json, whose arguments should match the JSON schema `parameters`; the
  /// function has to check them itself. Replaces a function of the same name. `name`: letters, digits, "_"
  /// and "-", at most 64; `description` says what the function does, and when to call it.
  template <class F>
    requires(!std::same_as<F, Function> && std::invocable<F&, const Json&>)
  Toolbox& add(std::string name, std::string description, Json parameters, F function) {
    return add(std::move(name), std::move(description), std::move(parameters),
               Function(detail::copyable_tool<Json>(std::move(function))));
  }
  /// Adds a Function, whose arguments should match the JSON schema `parameters`.
  Toolbox& add(std::string name, std::string description, Json parameters, Function function);
  /// Adds a function that takes a struct. Arguments that do not match the struct are reported to the model,
  /// and the function is not called.
  template <class Arguments, class F>
    requires detail::Takes<F, Arguments>
  Toolbox& add(std::string name, std::string description, F function) {
    add(std::move(name), std::move(description), schema_of<Arguments>(),
        Function([tool = detail::copyable_tool<Arguments>(std::move(function))](
                     const Json& json) -> Result<std::string> {
          const auto arguments = from_json<Arguments>(json);
          if (!arguments) return arguments.error();
          return tool(*arguments);
        }));
    tools_.back().closed = detail::is_closed(detail::shape_of<Arguments>);
    return *this;
  }
  /// Adds a function whose parameter type is the struct. The function must not be a template or overloaded.
  template <class F>
    requires(!std::invocable<F&>) && detail::TakesStruct<F>
  Toolbox& add(std::string name, std::string description, F function) {
    return add<detail::ArgumentOf<F>>(std::move(name), std::move(description), std::move(function));
  }
  /// Adds a function without parameters.
  template <std::invocable F>
  Toolbox& add(std::string name, std::string description, F function) {
    return add(
        std::move(name), std::move(description), no_parameters(),
        Function([tool = detail::copyable_tool<>(std::move(function))](const Json&) { return tool(); }));
  }

  /// Does not compile, and says what is missing.
  template <class Arguments, class F>
    requires(!detail::Takes<F, Arguments>)
  Toolbox& add(std::string, std::string, F) {
    static_assert(detail::NeedsDescription<Arguments>::met && detail::Takes<F, Arguments>,
                  "the tool's function cannot be called with a `const Arguments&`");
    return *this;
  }
  /// Does not compile, and says what is missing.
  template <class F>
    requires(!std::invocable<F&> && !detail::TakesStruct<F>)
  Toolbox& add(std::string, std::string, F) {
    static_assert(
        std::invocable<F&>,
        "a tool's function takes one struct, described by INFERWIRE_DESCRIBE, or nothing; or it "
        "takes a Json, and a schema stands before it. One that is a template or has overloads needs "
        "the struct's name: add<Struct>(...)");
    return *this;
  }

  /// A function that takes text: a program, a command, a query.
  using TextFunction = std::function<Result<std::string>(const std::string& input)>;
  /// Adds a custom tool (OpenAI): a function that takes the model's text itself instead of JSON. It has to
  /// check the text; with `grammar`, the provider is asked to make the text match. Replaces a function of the
  /// same name.
  template <class F>
    requires(!std::same_as<F, TextFunction> && std::invocable<F&, const std::string&>)
  Toolbox& add_custom(std::string name, std::string description, F function,
                      Optional<chat::Grammar> grammar = {}) {
    return add_custom(std::move(name), std::move(description),
                      TextFunction(detail::copyable_tool<std::string>(std::move(function))),
                      std::move(grammar));
  }
  /// Adds a TextFunction as a custom tool (OpenAI).
  Toolbox& add_custom(std::string name, std::string description, TextFunction function,
                      Optional<chat::Grammar> grammar = {});

  /// Sets whether providers are asked to make arguments follow the schemas exactly. OpenAI does so; on
  /// Databricks only OpenAI's models accept the member. Default: it is not sent, which OpenAI takes for false
  /// in chat, and for true in the Responses API if it can (see responses::Tool::strict). A function is never
  /// strict if its struct contains a Json, which no schema can describe, or if its own schema is not in the
  /// form that `strict_schema` gives: all properties required, no others allowed, and only keywords that
  /// providers enforce.
  Toolbox& set_strict(bool strict) noexcept;

  /// Sets where `run_all` may run several calls, at most 64, at the same time: the threads of a pool, for
  /// example. The functions have to allow that, and may not add functions. Default: nullptr, one call after
  /// the other.
  Toolbox& set_executor(std::shared_ptr<Executor> executor) noexcept;

  bool empty() const noexcept { return tools_.empty(); }
  /// The definitions of the tools, for requests.
  std::vector<chat::Tool> for_chat() const;
  std::vector<responses::Tool> for_responses() const;

  /// Calls the function `name` with `arguments`: JSON as text, or the input of a custom tool. Returns the
  /// text for the model: the function's result, or the reason why there is none.
  std::string call(std::string_view name, std::string_view arguments) const;
  /// Calls the function `name` with `arguments`, as `call` does, and says whether and why it failed. `id`:
  /// that of the call, for the result.
  CalledTool run(std::string id, std::string name, std::string arguments) const;
  /// Runs each of `calls`, of which `id`, `name` and `arguments` are set, and sets the rest as `run` does.
  /// The calling thread takes one call after the other; threads of the executor, if there is one, help. Calls
  /// that have not begun when `cancel` is cancelled are not made, which their results say. Returns when all
  /// of them have ended, also if the executor is busy or drops its tasks.
  void run_all(std::span<CalledTool> calls, const CancelToken& cancel = {}) const;

 private:
  struct Tool {
    std::string name{};
    std::string description{};
    Json parameters{};
    std::shared_ptr<const Function> function{};  ///< shared with its calls, which may replace the tool
    std::shared_ptr<const TextFunction> text_function{};  ///< for a custom tool, instead of the two above
    Optional<chat::Grammar> grammar{};
    bool closed{true};  ///< whether its parameters can be strict
  };
  static Json no_parameters();

  std::vector<Tool> tools_;
  Optional<bool> strict_;
  std::shared_ptr<Executor> executor_;
};

/// The state of a ToolLoop.
enum class ToolLoopState : std::uint8_t {
  asking,    ///< the next request has to be sent
  answered,  ///< the model has answered without calling a tool
  /// The model requested something that no function provides: see `responses::Response::open_items`.
  waiting,
  cut,        ///< an answer that calls tools, or its stream, was cut off or filtered: no tool was run
  exhausted,  ///< the limit of requests is reached, and the last answer calls tools, which were not run
  failed,     ///< a request or its response failed, or the program cancelled
};
/// The name of a state as in the enumeration: "answered".
INFERWIRE_API std::string_view name(ToolLoopState state) noexcept;
/// Writes the name.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, ToolLoopState state) {
  return out << name(state);
}

/// A conversation in which a model calls tools until it answers. The loop takes an answer, runs the functions
/// that it calls with `Toolbox::run_all`, on the calling thread unless the toolbox has an executor, and puts
/// the results into the next request. It does no I/O itself, so it works with calls of every kind:
///
///     while (loop.state() == ToolLoopState::asking) loop.take(client.chat.create(loop.request()));
///     while (loop.state() == ToolLoopState::asking) loop.take(co_await client.chat.start(loop.request()));
///     while (loop.state() == ToolLoopState::asking) loop.take(client.chat.stream(loop.request()).collect());
///
/// The conversation in `request()` is complete at any time, each call with its result, and may be changed
/// between requests. `tool_choice` applies to all requests: one that forces a call forces it each time. If
/// the server sent no id for a call, the generated id is unique in the conversation. Used by one thread at a
/// time.
template <class Request, class Response>
class ToolLoopOf {
 public:
  /// Adds the definitions of `tools` to the request's tools, in place of definitions of the same names. The
  /// loop has a copy of the toolbox, which shares its functions: later changes of yours do not reach it. A
  /// model might call tools forever: `most_requests` limits the number of requests, 1 or more.
  INFERWIRE_API ToolLoopOf(Request request, Toolbox tools, int most_requests = 10);

  /// The state of the loop.
  ToolLoopState state() const noexcept { return state_; }
  /// The next request; after the end, the whole conversation.
  Request& request() noexcept INFERWIRE_LIFETIMEBOUND { return request_; }
  const Request& request() const noexcept INFERWIRE_LIFETIMEBOUND { return request_; }

  /// Continues with an answer, or ends with an error. Pass each answer once, since its tool calls are run. If
  /// `cancel` is cancelled meanwhile, the remaining calls are not run, which their results tell the model,
  /// and the loop has failed, or waits for items that the program has to add; its error is Error{cancelled}.
  /// If the stream of an answer broke, the loop has failed: `response()` is what arrived, of which nothing is
  /// run, and the conversation stays as it is, for the next request.
  INFERWIRE_API void take(Result<Response> reply, const CancelToken& cancel = {});
  INFERWIRE_API void take(Collected<Response> reply, const CancelToken& cancel = {});
  /// Sends requests by `create` until the loop ends, and returns the answer. Timeouts apply to each request,
  /// `CallOptions::deadline` to the whole loop. If it ends in another state (see `state()`), it returns an
  /// error: that of the call that failed; cancelled, also if `CallOptions::cancel` is cancelled while tools
  /// run; length, content_filter or truncated if tool calls were cut off; truncated if the server aborted an
  /// answer before it had text or calls; tool if the loop is exhausted or waits; decode if an answer has no
  /// choice, or says that it calls tools and has no calls. `response()` has the last answer in any case.
  ///
  /// To continue, call it again: after a failure (requests continue to be counted), or, if the loop has
  /// answered or waits, after adding a message, which may replace older ones, or after setting
  /// `previous_response_id` and a new input. A loop that was cut or is exhausted needs `go_on()` first.
  INFERWIRE_API Result<Response> run(const Client& client, const CallOptions& options = {});

  /// Lets the loop continue: after a failure, or after the program has added a message or the items that the
  /// loop was waiting for. If the loop was exhausted, runs the calls of the last answer first; if `cancel` is
  /// cancelled meanwhile, the loop ends as in `take`. The count of requests starts over.
  INFERWIRE_API void go_on(const CancelToken& cancel = {});

  /// The last answer, or what arrived of it if its stream broke.
  const Response& response() const noexcept INFERWIRE_LIFETIMEBOUND { return response_; }
  /// Why there is no answer; absent if there is one.
  const Optional<Error>& error() const noexcept INFERWIRE_LIFETIMEBOUND { return error_; }
  /// The tools that the last answer called, in order, with their results; none if they were not run.
  const std::vector<CalledTool>& calls() const noexcept INFERWIRE_LIFETIMEBOUND { return calls_; }
  /// The tokens of all answers: the sums of `prompt()`, `completion()`, `total()`, `cached()`,
  /// `cache_write()` and `reasoning()`. Numbers that are not valid counts are left out.
  const Usage& usage() const noexcept INFERWIRE_LIFETIMEBOUND { return usage_; }

 private:
  void run_calls(const CancelToken& cancel);
  void end(ToolLoopState state, Error error);

  Request request_;
  Toolbox tools_;
  int most_requests_;
  int left_;
  ToolLoopState state_{ToolLoopState::asking};
  std::size_t seen_{};  ///< how much of the conversation the last answer took into account
  Request ending_{};    ///< the end of the conversation as the loop left it
  Response response_{};
  Optional<Error> error_{};
  std::vector<CalledTool> calls_{};
  Usage usage_{};
};

namespace chat {
/// For chat completions; uses the first choice of each answer.
using ToolLoop = ToolLoopOf<Request, Response>;
}  // namespace chat

namespace responses {
/// For the Responses API. If the server keeps the conversation, only new items are sent.
using ToolLoop = ToolLoopOf<Request, Response>;
}  // namespace responses

}  // namespace inferwire::inline v0_1
