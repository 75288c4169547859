/// \file
/// Functions of your program that a model calls until it has its answer.
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

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "inferwire/cancel.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/responses.hpp"
#include "inferwire/schema.hpp"

namespace inferwire::inline v0_1 {

namespace detail {

/// What a function gave, as text for the model.
template <class T>
Result<std::string> text_for_model(const T& value) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    if constexpr (std::is_pointer_v<T>) {
      if (value == nullptr) return Error{.kind = ErrorKind::tool, .detail = "it returned no text"};
    }
    return std::string(std::string_view(value));
  } else if constexpr (std::is_same_v<T, Json>) {
    return value.text();
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

/// Functions by name, each with what a model has to know to call it. A function returns text, Json, whatever
/// a member of a described struct may be (numbers, lists, structs), nothing, or a Result of these; the detail
/// of an Error is sent to the model. The text of an exception is not: the model reads that the function
/// failed. May be used by many threads at once if its functions may, but not while one is being added.
class INFERWIRE_API Toolbox {
 public:
  /// Takes the arguments, a JSON object.
  using Function = std::function<Result<std::string>(const Json& arguments)>;

  /// A function whose arguments should fit `parameters`, a JSON schema; it has to check them itself. Replaces
  /// a function of the same name. `name`: letters, digits, "_" and "-", at most 64; `description` says what
  /// it does, and when to call it.
  Toolbox& add(std::string name, std::string description, Json parameters, Function function);
  /// A function that takes a struct. Arguments that do not fit it are reported to the model, and the function
  /// is not called.
  template <class Arguments, class F>
    requires detail::Takes<F, Arguments>
  Toolbox& add(std::string name, std::string description, F function) {
    add(std::move(name), std::move(description), schema_of<Arguments>(),
        [function = std::make_shared<F>(std::move(function))](const Json& json) -> Result<std::string> {
          const auto arguments = from_json<Arguments>(json);
          if (!arguments) return arguments.error();
          return detail::call_tool(*function, *arguments);
        });
    tools_.back().closed = detail::is_closed(detail::shape_of<Arguments>);
    return *this;
  }
  /// A function whose parameter says which struct it takes: it is no template, and has no overloads.
  template <class F>
    requires(!std::invocable<F&>) && detail::TakesStruct<F>
  Toolbox& add(std::string name, std::string description, F function) {
    return add<detail::ArgumentOf<F>>(std::move(name), std::move(description), std::move(function));
  }
  /// A function that takes nothing.
  template <std::invocable F>
  Toolbox& add(std::string name, std::string description, F function) {
    return add(std::move(name), std::move(description), no_parameters(),
               [function = std::make_shared<F>(std::move(function))](const Json&) {
                 return detail::call_tool(*function);
               });
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

  /// Takes text: a program, a command, a query.
  using TextFunction = std::function<Result<std::string>(const std::string& input)>;
  /// A custom tool (OpenAI): a function that takes what the model writes, as it is, in place of JSON. It has
  /// to check the text itself; `grammar` asks the provider to make it fit. Replaces a function of the same
  /// name.
  Toolbox& add_custom(std::string name, std::string description, TextFunction function,
                      Optional<chat::Grammar> grammar = {});

  /// Whether providers are asked to make arguments follow the schemas exactly. OpenAI does so; on Databricks
  /// only OpenAI's models accept the member. Default: it is not sent. A function whose struct contains a
  /// Json, which no schema describes, is never strict.
  Toolbox& set_strict(bool strict) noexcept;

  bool empty() const noexcept { return tools_.empty(); }
  /// The definitions, for requests.
  std::vector<chat::Tool> for_chat() const;
  std::vector<responses::Tool> for_responses() const;

  /// Calls `name` with `arguments`, which are JSON as text, or the text for a custom tool. Returns the text
  /// for the model: the function's result, or in words why there is none.
  std::string call(std::string_view name, std::string_view arguments) const;

 private:
  struct Tool {
    std::string name{};
    std::string description{};
    Json parameters{};
    Function function{};
    TextFunction text_function{};  ///< what a custom tool has in place of the two
    Optional<chat::Grammar> grammar{};
    bool closed{true};  ///< its parameters can be strict
  };
  static Json no_parameters();

  std::vector<Tool> tools_;
  Optional<bool> strict_;
};

/// A call of a tool, and its result.
struct CalledTool {
  std::string id{};         ///< the call's
  std::string name{};       ///< the name of the function
  std::string arguments{};  ///< the text that the model wrote: JSON, or anything for a custom tool
  std::string result{};     ///< the text that the model will read
};

/// How far a ToolLoop is.
enum class ToolLoopState : std::uint8_t {
  asking,     ///< the next request has to be made
  answered,   ///< the model has answered without calling a tool
  waiting,    ///< the model asks for what no function gives: see `responses::Response::open_items`
  cut,        ///< an answer that calls tools was cut or filtered, or its stream: none was run
  exhausted,  ///< the limit of requests is reached, and the last answer calls tools, which were not run
  failed,     ///< a call of the model failed, or its response did, or the program cancelled
};
/// The name of a state as written in the enumeration: "answered".
INFERWIRE_API std::string_view name(ToolLoopState state) noexcept;

/// A conversation in which a model calls tools until it answers: asks, runs the functions that the answer
/// calls, one after the other on the asking thread, and sends the results back. It does no I/O of its own, so
/// it works with calls of every kind:
///
///     while (loop.state() == ToolLoopState::asking) loop.take(client.chat.create(loop.request()));
///     while (loop.state() == ToolLoopState::asking) loop.take(co_await client.chat.start(loop.request()));
///     while (loop.state() == ToolLoopState::asking) loop.take(client.chat.stream(loop.request()).collect());
///
/// The conversation in `request()` is complete at any time, each call with its result, and may be changed
/// between the requests. `tool_choice` holds for all of them, so one that forces a call forces it again. A
/// call whose id was made up, because the server sent none, never repeats one that the conversation has. Used
/// by one thread at a time.
template <class Request, class Response>
class ToolLoopOf {
 public:
  /// Adds the definitions of `tools`, which have to outlive it, to those of the request. A model may call
  /// tools for ever: `most_requests` limits how often it is asked, 1 and above.
  INFERWIRE_API ToolLoopOf(Request request, const Toolbox& tools, int most_requests = 10);
  /// A temporary toolbox would not live long enough.
  ToolLoopOf(Request, Toolbox&&, int = 0) = delete;

  /// How far it is.
  ToolLoopState state() const noexcept { return state_; }
  /// The next request; after the end, the whole conversation.
  Request& request() noexcept INFERWIRE_LIFETIMEBOUND { return request_; }
  const Request& request() const noexcept INFERWIRE_LIFETIMEBOUND { return request_; }

  /// Continues with an answer, or ends with an error. Each answer is to be taken once: its calls are run. Of
  /// those that are still to be run when `cancel` fires, the model reads that they were not made, and the
  /// loop has failed, or waits for what the program has to add: Error{cancelled}.
  INFERWIRE_API void take(Result<Response> reply, const CancelToken& cancel = {});
  INFERWIRE_API void take(Collected<Response> reply, const CancelToken& cancel = {});
  /// Asks by `create` until it is over, and returns the answer. Timeouts are those of each request;
  /// `CallOptions::deadline` is that of the whole. If it ends otherwise, as `state()` says,
  /// returns an error: that of the call that failed; cancelled, also when `CallOptions::cancel` fires while
  /// tools run; length, content_filter or truncated if calls were cut; tool if it is exhausted or waits.
  /// `response()` has the last answer in any case. To continue call it again: after a failure, when the count
  /// of requests goes on, or after adding a message to the conversation of one that has answered or waits. A
  /// loop that was cut or is exhausted needs `go_on()` first. An answer without a choice is a failure:
  /// Error{decode}.
  INFERWIRE_API Result<Response> run(const Client& client, const CallOptions& options = {});

  /// Lets it ask again: after a failure, after a message was added to the conversation, or the items that it
  /// was waiting for, or, if it was exhausted, after running what the last answer calls. The count of
  /// requests starts over.
  INFERWIRE_API void go_on();

  /// The last answer.
  const Response& response() const noexcept INFERWIRE_LIFETIMEBOUND { return response_; }
  /// Why there is no answer.
  const Optional<Error>& error() const noexcept INFERWIRE_LIFETIMEBOUND { return error_; }
  /// What the last answer called, in order, with the results.
  const std::vector<CalledTool>& calls() const noexcept INFERWIRE_LIFETIMEBOUND { return calls_; }
  /// The tokens of all answers: what `prompt()`, `completion()`, `total()`, `cached()`, `cache_write()` and
  /// `reasoning()` give of each, summed up. Numbers that are no counts are left out.
  const Usage& usage() const noexcept INFERWIRE_LIFETIMEBOUND { return usage_; }

 private:
  void run_calls(const CancelToken& cancel);
  void end(ToolLoopState state, Error error);

  Request request_;
  const Toolbox* tools_;
  int most_requests_;
  int left_;
  ToolLoopState state_{ToolLoopState::asking};
  std::size_t seen_{};  ///< how much of the conversation the last answer has seen
  Response response_{};
  Optional<Error> error_{};
  std::vector<CalledTool> calls_{};
  Usage usage_{};
};

namespace chat {
/// For chat completions; the first choice counts.
using ToolLoop = ToolLoopOf<Request, Response>;
}  // namespace chat

namespace responses {
/// For the Responses API. Where the server keeps the conversation, only what is new is sent.
using ToolLoop = ToolLoopOf<Request, Response>;
}  // namespace responses

}  // namespace inferwire::inline v0_1
