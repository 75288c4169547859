/// \file
/// The resources that a Client has as members, such as `client.chat`, with the calls of each.
#pragma once

#include "inferwire/async_stream.hpp"
#include "inferwire/client_options.hpp"
#include "inferwire/export.hpp"
#include "inferwire/fwd.hpp"
#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/pending.hpp"
#include "inferwire/result.hpp"
#include "inferwire/stream.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1 {

class Client;

namespace detail {
class Core;
}

template <>
struct Folds<Json> {
  using Response = std::vector<Json>;
  struct INFERWIRE_API Accumulator {
    std::vector<Json> elements{};
    void add(const Json& element);
    std::vector<Json> take(bool complete);
  };
};

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
  /// The answer in chunks. Nothing is sent before the first element is read. An error of any kind is the last
  /// element of the range.
  Stream<Chunk> stream(const Request& request, const CallOptions& options = {}) const;
  /// `create` on the client's event loop: returns at once.
  Pending<Response> start(const Request& request, const CallOptions& options = {}) const;
  /// `stream` on the client's event loop. Nothing is sent before the first `next` or `listen`.
  AsyncStream<Chunk> open(const Request& request, const CallOptions& options = {}) const;

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
  /// Both on the client's event loop, as in `chat`; they return at once.
  Pending<Response> start(const Request& request, const CallOptions& options = {}) const;
  AsyncStream<Chunk> open(const Request& request, const CallOptions& options = {}) const;

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
  /// The rows for the inputs of `request`, in their order, on the calling thread. An answer in which an
  /// input's row is missing or occurs twice is Error{decode}.
  Result<Response> create(const Request& request, const CallOptions& options = {}) const;
  /// Starts the request on the client's event loop.
  Pending<Response> start(const Request& request, const CallOptions& options = {}) const;

 private:
  friend class inferwire::Client;
  explicit Resource(std::shared_ptr<detail::Core> core) : core_(std::move(core)) {}

  std::shared_ptr<detail::Core> core_;
};

}  // namespace embeddings

namespace models {

/// `client.models`: the models that the service offers; on Databricks, its serving endpoints. Cheap to copy,
/// safe from any thread.
class INFERWIRE_API Resource {
 public:
  /// All models, in the service's order.
  Result<List> list(const CallOptions& options = {}) const;
  /// The model (on Databricks, the serving endpoint) of this name. Error{not_found} if there is none.
  Result<Model> retrieve(const std::string& name, const CallOptions& options = {}) const;
  /// Both on the client's event loop; they return at once.
  Pending<List> start_list(const CallOptions& options = {}) const;
  Pending<Model> start_retrieve(const std::string& name, const CallOptions& options = {}) const;

 private:
  friend class inferwire::Client;
  explicit Resource(std::shared_ptr<detail::Core> core) : core_(std::move(core)) {}

  std::shared_ptr<detail::Core> core_;
};

}  // namespace models

namespace responses {

/// `client.responses`: the Responses API. Cheap to copy, safe from any thread.
///
/// From `retrieve` on, the functions are for responses that the service keeps. Their errors include
/// not_found, if the service keeps no response with this id, and unsupported, if it does not keep responses
/// (Provider::kept_responses).
class INFERWIRE_API Resource {
 public:
  /// The answer to `request`, on the calling thread. A response that failed is an answer too, not an Error:
  /// see `Response::status`.
  Result<Response> create(const Request& request, const CallOptions& options = {}) const;
  /// The answer in events, as in `chat`. The stream is complete at `response.completed`, `.incomplete` or
  /// `.cancelled` (for agents see StreamRow::responses_in_turns), or at `[DONE]` if the server sends only
  /// items and no event about the response. After `response.failed` the last element is an
  /// Error{response_failed}.
  Stream<Event> stream(const Request& request, const CallOptions& options = {}) const;
  /// Both on the client's event loop, as in `chat`; they return at once.
  Pending<Response> start(const Request& request, const CallOptions& options = {}) const;
  AsyncStream<Event> open(const Request& request, const CallOptions& options = {}) const;

  /// The response in its current state; one generated in the background may be queued or in progress.
  /// Error{not_found} if the service keeps none with this id; Error{unsupported} if it does not keep
  /// responses.
  Result<Response> retrieve(const std::string& id, const CallOptions& options = {}) const;
  /// Cancels a response that is generated in the background. Returns the response, either cancelled or in the
  /// final state that it had already reached. Errors as for `retrieve`.
  Result<Response> cancel(const std::string& id, const CallOptions& options = {}) const;
  /// Deletes the response from the service. Errors as for `retrieve`; a retry after an attempt whose answer
  /// was lost may find the response gone, which is Error{not_found}.
  Result<Deletion> remove(const std::string& id, const CallOptions& options = {}) const;
  /// The input items that the response answers, a page at a time. In `CallOptions::query`, the service reads
  /// "order" ("desc" or "asc"), "limit" and, for the next page, "after", an item's id. Errors as for
  /// `retrieve`.
  Result<List> list_input_items(const std::string& id, const CallOptions& options = {}) const;
  /// The events of a response that is generated in the background, as from `stream`: those after the
  /// Event::sequence_number `starting_after`, or all. Past events arrive at once, later ones as they happen.
  /// Errors as for `retrieve`, as the last element.
  Stream<Event> resume(const std::string& id, Optional<std::int64_t> starting_after = std::nullopt,
                       const CallOptions& options = {}) const;
  /// The calls above on the client's event loop; they return at once.
  Pending<Response> start_retrieve(const std::string& id, const CallOptions& options = {}) const;
  Pending<Response> start_cancel(const std::string& id, const CallOptions& options = {}) const;
  Pending<Deletion> start_remove(const std::string& id, const CallOptions& options = {}) const;
  Pending<List> start_list_input_items(const std::string& id, const CallOptions& options = {}) const;
  /// `resume` on the client's event loop; returns at once.
  AsyncStream<Event> reopen(const std::string& id, Optional<std::int64_t> starting_after = std::nullopt,
                            const CallOptions& options = {}) const;

 private:
  friend class inferwire::Client;
  explicit Resource(std::shared_ptr<detail::Core> core) : core_(std::move(core)) {}

  std::shared_ptr<detail::Core> core_;
};

}  // namespace responses

}  // namespace inferwire::inline v0_1
