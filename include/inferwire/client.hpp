/// \file
/// The client: ten lines to a first answer.
///
///     auto client = inferwire::Client({.provider = Provider::openai()});      // key from OPENAI_API_KEY
///     auto reply = client.chat.create({.model = "gpt-4o-mini", .messages = {chat::user("Hello")}});
///     if (!reply) return report(reply.error());
///     std::cout << reply->text() << '\n';
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inferwire/cancel.hpp"
#include "inferwire/credential.hpp"
#include "inferwire/fwd.hpp"
#include "inferwire/provider.hpp"
#include "inferwire/result.hpp"
#include "inferwire/secret.hpp"
#include "inferwire/stream.hpp"
#include "inferwire/timeouts.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1 {

/// Options of a Client. What is not given comes from the environment, then from the provider's row.
struct ClientOptions {
  Provider provider{Provider::openai()};
  /// Where the service is, for example "https://adb-123.azuredatabricks.net"; http or https.
  std::optional<std::string> base_url{};
  /// A key or token, sent as a bearer token.
  std::optional<Secret> api_key{};
  /// Another way to prove who calls; used instead of `api_key`.
  std::shared_ptr<Credential> credential{};
  Timeouts timeouts{};
  /// Sent with every request; one of the same name in CallOptions replaces it.
  std::vector<Header> headers{};
  /// Appended to the User-Agent, for example "my-app/1.2".
  std::string user_agent{};
  /// Whether a key may be sent over plain http to a host that is not loopback. Off: such a client gives
  /// Error{config}.
  bool allow_plain_http_key{false};
  /// The largest answer outside a stream, in bytes. Default 256 MiB.
  std::uint64_t max_response_bytes{256u << 20};
  /// The largest event of a stream, in bytes. Default 32 MiB.
  std::size_t max_event_bytes{32u << 20};
  /// A file of certificates to trust (PEM); empty: libcurl's own. Certificates are always verified.
  std::string ca_file{};
  /// Carries the requests; absent: libcurl, with a pool of its own for this client and its copies.
  std::shared_ptr<Transport> transport{};
  /// Where time comes from; absent: the machine's steady clock. Must outlive the client.
  std::shared_ptr<Clock> clock{};
};

/// Options of one call; what is set here goes before the client's.
struct CallOptions {
  std::optional<Timeouts> timeouts{};
  std::vector<Header> headers{};
  CancelToken cancel{};
  /// Whether the Responses API gets tools, tool_choice and text.format nested (`{"type": "function",
  /// "function": {...}}`) instead of flat; absent: as the provider's row says.
  std::optional<bool> nested_tools{};
};

class Client;

namespace detail {
class Core;
}

template <>
struct Folds<chat::Chunk> {
  using Response = chat::Response;
  using Accumulator = chat::Accumulator;
};

template <>
struct Folds<completions::Chunk> {
  using Response = completions::Response;
  using Accumulator = completions::Accumulator;
};

template <>
struct Folds<responses::Event> {
  using Response = responses::Response;
  using Accumulator = responses::Accumulator;
};

namespace chat {

/// `client.chat`: chat completions. Cheap to copy, safe from any thread.
class INFERWIRE_API Resource {
 public:
  /// The answer to `request`, on the calling thread.
  Result<Response> create(const Request& request, const CallOptions& options = {}) const;
  /// The answer in chunks. Nothing is sent before the first element is asked for; an error, of whatever kind,
  /// is the range's last element.
  Stream<Chunk> stream(const Request& request, const CallOptions& options = {}) const;

 private:
  friend class inferwire::Client;
  explicit Resource(std::shared_ptr<detail::Core> core) : core_(std::move(core)) {}

  std::shared_ptr<detail::Core> core_;
};

}  // namespace chat

namespace completions {

/// `client.completions`: text completions. Cheap to copy, safe from any thread.
class INFERWIRE_API Resource {
 public:
  /// The answer to `request`, on the calling thread.
  Result<Response> create(const Request& request, const CallOptions& options = {}) const;
  /// The answer in chunks, as in `chat`.
  Stream<Chunk> stream(const Request& request, const CallOptions& options = {}) const;

 private:
  friend class inferwire::Client;
  explicit Resource(std::shared_ptr<detail::Core> core) : core_(std::move(core)) {}

  std::shared_ptr<detail::Core> core_;
};

}  // namespace completions

namespace embeddings {

/// `client.embeddings`: rows of floats for texts. Cheap to copy, safe from any thread.
class INFERWIRE_API Resource {
 public:
  /// The rows of the inputs of `request`, in their order, on the calling thread. An answer in which the row
  /// of an input is missing, or comes twice, is Error{decode}.
  Result<Response> create(const Request& request, const CallOptions& options = {}) const;

 private:
  friend class inferwire::Client;
  explicit Resource(std::shared_ptr<detail::Core> core) : core_(std::move(core)) {}

  std::shared_ptr<detail::Core> core_;
};

}  // namespace embeddings

namespace models {

/// `client.models`: what the service serves; on Databricks the serving endpoints. Cheap to copy, safe from
/// any thread.
class INFERWIRE_API Resource {
 public:
  Result<List> list(const CallOptions& options = {}) const;
  /// The model, on Databricks the serving endpoint, of this name. Error{not_found} when there is none.
  Result<Model> retrieve(const std::string& name, const CallOptions& options = {}) const;

 private:
  friend class inferwire::Client;
  explicit Resource(std::shared_ptr<detail::Core> core) : core_(std::move(core)) {}

  std::shared_ptr<detail::Core> core_;
};

}  // namespace models

namespace responses {

/// `client.responses`: the Responses API. Cheap to copy, safe from any thread.
class INFERWIRE_API Resource {
 public:
  /// The answer to `request`, on the calling thread. A response that failed is an answer too: see
  /// `Response::status`.
  Result<Response> create(const Request& request, const CallOptions& options = {}) const;
  /// The answer in events, as in `chat`. Only `response.completed`, `.incomplete` or `.cancelled` completes
  /// it; after `response.failed` the last element is an Error{response_failed}.
  Stream<Event> stream(const Request& request, const CallOptions& options = {}) const;

 private:
  friend class inferwire::Client;
  explicit Resource(std::shared_ptr<detail::Core> core) : core_(std::move(core)) {}

  std::shared_ptr<detail::Core> core_;
};

}  // namespace responses

/// A client of one service. Cheap to copy (copies share connections), safe from any thread, and does no I/O
/// until the first call; unusable options show as Error{config} of the calls. A client that was moved from
/// answers Error{config}.
class INFERWIRE_API Client {
 public:
  explicit Client(ClientOptions options = {});

  chat::Resource chat;
  completions::Resource completions;
  embeddings::Resource embeddings;
  models::Resource models;
  responses::Resource responses;

 private:
  explicit Client(std::shared_ptr<detail::Core> core);
};

}  // namespace inferwire::inline v0_1
