/// \file
/// Many requests at a time: a corpus of texts to embed, a file of prompts.
///
///     const auto rows = embeddings::create_all(client, texts, {.model = "text-embedding-3-small"},
///                                              {.checkpoint = "rows.jsonl"});
///     for (const auto& failure : rows.failures) report(failure);
///     use(rows.row(0));
///
/// The functions here block the calling thread while their requests run on the client's event loop, several
/// at a time. Texts are grouped into requests within the provider's limits, and results keep the order of the
/// inputs. Not part of inferwire.hpp, so that only its users compile it.
///
/// When a server is overloaded (429, or 503 with Retry-After; with RetryPolicy::errors_in_answers also where
/// an answer with a good status says so), all requests of the batch wait, not just the one that it refused:
/// until the time that it names. Then half as many run at a time, and one more after as many successes. If
/// the headers of its answers say how many requests or tokens are left (ResponseInfo::rate_limits), requests
/// are spread over the remaining time before these run out, unless they would then be further apart than
/// RetryPolicy::max_server_delay. All other failures are tried again as the call's RetryPolicy says. Its
/// `judge` is asked about refusals, too, and may give a request up, but does not say how long the batch
/// waits. Each batch paces itself alone, whatever others run at the same time.
///
/// After a refusal that affects every request (auth, quota, config, or a longer wait than
/// RetryPolicy::max_server_delay grants) no further request is sent, and the rest fails with the same error.
/// The same holds after 32 requests failed with tls or connection and none succeeded; where all name the same
/// model and are not the caller's own (`request_all`), also with not_found, permission_denied or unsupported.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/responses.hpp"
#include "inferwire/usage.hpp"

namespace inferwire::inline v0_1 {

/// The progress of a batch.
struct BatchProgress {
  std::size_t inputs{};     ///< how many the whole batch has; 0 when that is not known
  std::size_t done{};       ///< inputs that have a result, including those of a checkpoint
  std::size_t failed{};     ///< inputs that will have none
  std::size_t requests{};   ///< made so far, including those that were refused
  std::size_t in_flight{};  ///< requests under way
  std::size_t allowed{};    ///< requests that may be under way at a time, after what the server said
};

/// Follows the progress of a batch.
class INFERWIRE_API BatchObserver {
 public:
  virtual ~BatchObserver();
  /// After every request that ended, on the thread that called `create_all`. What it throws leaves that
  /// function, and ends the batch.
  virtual void on_progress(const BatchProgress& progress) = 0;
};

/// Options of a batch.
struct BatchOptions {
  /// Requests under way at a time, at most. At least 1.
  std::size_t in_flight{8};
  /// Texts in one request; absent: as the provider's row says. Embeddings only: other requests are sent as
  /// they are.
  Optional<std::size_t> request_inputs{};
  /// The most bytes of text in one request. A text that is longer than this is sent alone.
  Optional<std::size_t> request_bytes{};
  /// How often one request is repeated after refusals for load, before it fails with the server's error,
  /// whose `attempts` lists them all. With RetryPolicy's delays that takes more than a minute, even if the
  /// server names no time.
  int max_refusals{12};
  /// A file that records what is done, so that a batch that was killed resumes where it was: what the file
  /// holds is not asked for again. It belongs to one job (model, parameters, inputs; their FNV-1a hash is its
  /// first line). Everything fails with Error{config} if the file belongs to another job or cannot be
  /// written. One process at a time. Empty: nothing is recorded.
  std::string checkpoint{};
  /// Must outlive the call; nullptr: none.
  BatchObserver* observer{};
  /// Options of every single call. `cancel` ends the batch at once, with the results so far. So does
  /// `deadline`, as soon as the next request could only begin after it: requests that were refused fail with
  /// their refusal then, and the others with Error{timeout}. `executor` and `info` are not used.
  CallOptions call{};
};

/// Inputs that failed.
struct BatchFailure {
  std::size_t first{};  ///< the first of them
  std::size_t count{};  ///< how many, from there on
  Error error{};        ///< why; its `body` whole with the first 32 failures, else its first kilobyte
};

namespace embeddings {

/// Rows for many texts.
struct Rows {
  std::string model{};                   ///< the model that answered
  std::size_t inputs{};                  ///< how many texts there were
  std::size_t dimensions{};              ///< floats a row; 0 when no text has a row
  std::vector<float> values{};           ///< [inputs, dimensions], row after row; zeros for texts that failed
  std::vector<BatchFailure> failures{};  ///< in the order of the inputs
  Usage usage{};                         ///< prompt and total tokens of all requests together

  /// The row of input `index`; empty for one that failed. It points into this.
  INFERWIRE_API std::span<const float> row(std::size_t index) const& noexcept INFERWIRE_LIFETIMEBOUND;
  std::span<const float> row(std::size_t) const&& = delete;
};

namespace detail {
INFERWIRE_API Rows create_all(const Client& client, std::span<const std::string_view> texts, Request request,
                              const BatchOptions& options);
}  // namespace detail

/// Texts that stay where they are, in a column of a table, say: a span of std::string_view, or what becomes
/// one.
template <class T>
concept TextViews = std::is_convertible_v<const T&, std::span<const std::string_view>>;

/// The rows of `texts`. `request` is the template of each request; its `input` is ignored. A request that the
/// server finds too large, or refuses for what may be one of the texts, is split; texts that fail in the end
/// are listed in Rows::failures, and the others are still done. If 32 texts sampled across the corpus are
/// each refused alone and none succeeds, the remaining texts fail with the same error.
INFERWIRE_API Rows create_all(const Client& client, const std::vector<std::string>& texts, Request request,
                              const BatchOptions& options = {});
template <TextViews Texts>
Rows create_all(const Client& client, const Texts& texts, Request request, const BatchOptions& options = {}) {
  return detail::create_all(client, texts, std::move(request), options);
}

}  // namespace embeddings

namespace chat {

/// The answers to `requests`, each at its place. The first 32 errors have their whole `body`, others the
/// first kilobyte of it.
INFERWIRE_API std::vector<Result<Response>> create_all(const Client& client,
                                                       const std::vector<Request>& requests,
                                                       const BatchOptions& options = {});

}  // namespace chat

namespace completions {

/// The completions of `prompts`, each asked by itself. `request` is the template; its `prompt` is ignored.
/// Errors are those of chat::create_all.
INFERWIRE_API std::vector<Result<Response>> create_all(const Client& client,
                                                       const std::vector<std::string>& prompts,
                                                       Request request, const BatchOptions& options = {});

}  // namespace completions

namespace responses {

/// The responses to `requests`, each at its place. Errors are those of chat::create_all.
INFERWIRE_API std::vector<Result<Response>> create_all(const Client& client,
                                                       const std::vector<Request>& requests,
                                                       const BatchOptions& options = {});

}  // namespace responses

/// A request of the caller's own making; see Client::request.
struct RawRequest {
  std::string method{"POST"};
  std::string path{};     ///< below the base URL, escaped already: "/rerank"
  Optional<Json> body{};  ///< absent: none
};

/// Requests that are generated while others are under way, for jobs that do not fit into memory. What the
/// functions throw leaves `request_all`, and ends the batch.
class INFERWIRE_API RawBatch {
 public:
  virtual ~RawBatch();
  /// Fills in the next request; false: there are no more. The first one has the number 0. The batch stands
  /// still while this function blocks; answers that have arrived are delivered before the next call.
  virtual bool next(RawRequest& request) = 0;
  /// The result of request `number`; called in the order in which requests end.
  virtual void on_answer(std::size_t number, Result<RawResponse> answer) = 0;
};

/// Makes the requests of `batch`, whose functions are called on the calling thread. After a cancellation, a
/// refusal that affects every request (as above), or the deadline, no further request is taken, and that is
/// the error. There are no checkpoints: Error{config} if the options name one.
INFERWIRE_API Result<void> request_all(const Client& client, RawBatch& batch,
                                       const BatchOptions& options = {});

}  // namespace inferwire::inline v0_1
