/// \file
/// Forward declarations of what users pass about. Use these instead of your own: the types live in an inline
/// namespace.
#pragma once

#include <cstdint>

namespace inferwire::inline v0_1 {

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
class Json;
class Log;
class Observer;
class RetryJudge;
class Secret;
class Sink;
class Transport;
enum class EndReason : std::uint8_t;
enum class ErrorKind : std::uint8_t;
enum class Progress : std::uint8_t;
struct AuthReport;
struct CallOptions;
struct ClientOptions;
struct DatabricksOptions;
struct Error;
struct HttpRequest;
struct NetworkOptions;
struct Provider;
struct ResponseHead;
struct RetryPolicy;
struct SigV4Options;
struct Timeouts;
struct TimeoutChanges;
struct Unknown;
struct Usage;
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
template <class Response>
struct Collected;

namespace chat {
class Accumulator;
class Resource;
struct Choice;
struct Chunk;
struct Message;
struct Request;
struct Response;
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
struct FunctionCall;
struct Message;
struct Request;
struct Response;
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
