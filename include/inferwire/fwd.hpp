/// \file
/// Forward declarations of types that programs pass around. Use these instead of your own: the types are in
/// an inline namespace. Unions (`responses::Item`, `chat::Content`) are std::variant, which cannot be
/// forward-declared: include their headers.
#pragma once

#include <cstdint>

namespace inferwire::inline v0_1 {

class BatchObserver;
class CallObserver;
class CancelSource;
class CancelToken;
class Client;
class Clock;
class Credential;
class Environment;
class EventLoop;
class Exchange;
class Executor;
class Extra;
class Headers;
class InfoPlace;
class Json;
class Log;
class Observer;
class RetryJudge;
class Secret;
class Sink;
class TimerChange;
class Toolbox;
class Transport;
enum class EndReason : std::uint8_t;
enum class ErrorCause : std::uint8_t;
enum class ErrorKind : std::uint8_t;
enum class Finish : std::uint8_t;
enum class LogLevel : std::uint8_t;
enum class Preflight : std::uint8_t;
enum class Progress : std::uint8_t;
enum class ToolLoopState : std::uint8_t;
struct Attempt;
struct AuthReport;
struct BatchOptions;
struct BatchProgress;
struct BodyEdit;
struct CalledTool;
struct CallEnd;
struct CallOptions;
struct CallStart;
struct ClientOptions;
struct DatabricksOptions;
struct Error;
struct EventLoopOptions;
struct FailedAttempt;
struct Header;
struct HttpRequest;
struct Member;
struct NetworkOptions;
struct PromptCacheOptions;
struct Provider;
struct QueryParameter;
struct RateLimits;
struct RawResponse;
struct ResponseHead;
struct ResponseInfo;
struct RetryPolicy;
struct SigV4Options;
struct StreamOptions;
struct TimeoutChanges;
struct Timeouts;
struct Timings;
struct Unknown;
struct Usage;
struct Visibility;
template <class T>
class AsyncStream;
template <class T>
class Optional;
template <class T>
class Pending;
template <class T>
class Result;
template <class T>
class Stream;
template <class Words>
class OpenEnum;
template <class Request, class Response>
class ToolLoopOf;
template <class Response>
struct Collected;

namespace chat {
class Accumulator;
class Resource;
struct Choice;
struct Chunk;
struct ChunkChoice;
struct FunctionDefinition;
struct Message;
struct Request;
struct Response;
struct ResponseFormat;
struct Tool;
struct ToolCall;
}  // namespace chat

namespace completions {
class Accumulator;
class Resource;
struct Choice;
struct Chunk;
struct Request;
struct Response;
}  // namespace completions

namespace embeddings {
class Resource;
struct Embedding;
struct Request;
struct Response;
}  // namespace embeddings

namespace responses {
class Accumulator;
class Event;
class Resource;
struct CustomToolCall;
struct CustomToolCallOutput;
struct Deletion;
struct FunctionCall;
struct FunctionCallOutput;
struct ItemReference;
struct List;
struct Message;
struct Reasoning;
struct Request;
struct Response;
struct TextConfig;
struct Tool;
}  // namespace responses

namespace engine {
class EmbeddingModel;
class Engine;
class Generation;
class LanguageModel;
class Service;
}  // namespace engine

namespace models {
class Resource;
struct List;
struct Model;
}  // namespace models

}  // namespace inferwire::inline v0_1
