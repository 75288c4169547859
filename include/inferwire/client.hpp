/// \file
/// The client. This header only declares the types of requests and answers: also include the header of the
/// resource that you use (inferwire/chat.hpp), or inferwire/inferwire.hpp.
///
///     #include <inferwire/chat.hpp>
///     #include <inferwire/client.hpp>
///     using namespace inferwire;
///
///     auto client = Client({.provider = Provider::openai()});      // key from OPENAI_API_KEY
///     auto reply = client.chat.create({.model = "gpt-6-luna", .messages = {chat::user("Hello")}});
///     if (!reply) return report(reply.error());
///     std::cout << reply->text() << '\n';
#pragma once

#include "inferwire/async_stream.hpp"
#include "inferwire/client_options.hpp"
#include "inferwire/export.hpp"
#include "inferwire/fwd.hpp"
#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/pending.hpp"
#include "inferwire/resources.hpp"
#include "inferwire/response_info.hpp"
#include "inferwire/result.hpp"
#include "inferwire/stream.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

namespace inferwire::inline v0_1 {

namespace detail {
struct ClientAccess;                     // the library's own way to the core
enum class NoOptions : std::uint8_t {};  // makes `Client({})` choose the constructor without options
}  // namespace detail

/// A client of one service. Cheap to copy (copies share connections) and safe from any thread.
///
/// It does no I/O until the first call, except that it looks whether a file that SSL_CERT_FILE names can be
/// opened. The first call looks up what the options leave open. If any of that is invalid, every call fails
/// with the same error. Calls of a moved-from client fail with Error{config}.
///
/// After fork(), made while no other thread used the client, blocking calls in the child open connections of
/// their own. Calls in progress and the event loop stay with the parent: if the loop was running,
/// asynchronous calls and batches in the child fail with Error{config}, also if they were begun before it,
/// and need a client made there.
class INFERWIRE_API Client {
 public:
  /// Stores the options, and sends nothing. The only variables of the environment that are read here are
  /// INFERWIRE_LOG, SSL_CERT_FILE and those of the proxy.
  explicit Client(ClientOptions options);
  /// Makes a client without options: `Client()`, `Client({})`.
  Client() : Client(ClientOptions()) {}
  explicit Client(detail::NoOptions) : Client() {}

  /// Sends a request to an endpoint that has no member here: `path` is already escaped ("/rerank"), and below
  /// the base URL, or below its host if that is one of the provider's DedicatedHosts. Credential, timeouts
  /// and errors are those of every call. A status other than 2xx is an Error; to read the body of a 2xx
  /// answer, use `RawResponse::document`. A body that has neither Content-Length nor chunks ends with its
  /// connection, and may be only a part of what the server wanted to send if that was cut: over plain http
  /// always, with libcurl 7.88 over TLS too. Errors: also invalid_request, if method or path cannot be sent.
  Result<RawResponse> request(std::string_view method, std::string_view path,
                              const Optional<Json>& body = std::nullopt,
                              const CallOptions& options = {}) const;
  /// Starts such a request on the client's event loop.
  Pending<RawResponse> start(std::string_view method, std::string_view path,
                             const Optional<Json>& body = std::nullopt,
                             const CallOptions& options = {}) const;
  /// A request of the same kind whose answer is a stream of JSON texts, in any framing, without the names and
  /// ids of its events: POST if there is a body, else GET. The stream is complete at `[DONE]`, or at a clean
  /// end of the body that is not inside an event; for what may look like one, see `request`.
  Stream<Json> stream(std::string_view path, const Optional<Json>& body = std::nullopt,
                      const CallOptions& options = {}) const;
  /// Opens such a stream on the client's event loop. Nothing is sent before the first `next` or `listen`.
  AsyncStream<Json> open(std::string_view path, const Optional<Json>& body = std::nullopt,
                         const CallOptions& options = {}) const;
  /// Reports how calls authenticate, and where each setting comes from, without secrets. Reads environment
  /// variables and files as the first call does, but sends no request. AuthReport is in
  /// inferwire/auth_report.hpp.
  AuthReport describe_auth() const;

  chat::Resource chat;
  completions::Resource completions;
  embeddings::Resource embeddings;
  models::Resource models;
  responses::Resource responses;

 private:
  friend struct detail::ClientAccess;
  explicit Client(std::shared_ptr<detail::Core> core);
  const std::shared_ptr<detail::Core>& core() const noexcept { return chat.core_; }
};

}  // namespace inferwire::inline v0_1
