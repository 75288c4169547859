/// \file
/// Many requests at a time: a corpus of texts to embed, a file of prompts.
///
///     const auto rows = embeddings::create_all(client, texts, {.model = "text-embedding-3-small"},
///                                              {.checkpoint = "rows.jsonl"});
///     for (const auto& failure : rows.failures) report(failure);
///     use(rows.row(0));
///
/// The functions here block the calling thread while their requests run on the client's event loop, some at a
/// time. The texts are cut into requests as the provider's limits ask for, and results keep the order of the
/// inputs. Not part of inferwire.hpp, so that only those who use it compile it.
///
/// A server that says it has had enough (429, or 503 with Retry-After) holds back all requests of a batch,
/// not just the one that it refused: until the time that it names, and then with half as many at a time,
/// growing by one after as many successes. Where the headers of its answers say how many requests or tokens
/// are left (ResponseInfo::rate_limits), requests are spread over the rest of the time before these run out,
/// unless they would then be further apart than RetryPolicy::max_server_delay.
/// All other failures are tried again as the call's RetryPolicy says.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/usage.hpp"

namespace inferwire::inline v0_1 {

/// How far a batch is.
struct BatchProgress {
  std::size_t inputs{};     ///< of the whole batch; 0 when that is not known
  std::size_t done{};       ///< inputs with their result, those of a checkpoint included
  std::size_t failed{};     ///< inputs that will have none
  std::size_t requests{};   ///< made so far, those that were refused included
  std::size_t in_flight{};  ///< requests under way
  std::size_t allowed{};    ///< requests that may be under way at a time, after what the server said
};

/// Hears how a batch goes on.
class INFERWIRE_API BatchObserver {
 public:
  virtual ~BatchObserver();
  /// After every request that ended, on the thread that called `create_all`.
  virtual void on_progress(const BatchProgress& progress) = 0;
};

/// How a batch is made.
struct BatchOptions {
  /// Requests under way at a time, at most. At least 1.
  std::size_t in_flight{8};
  /// Texts of one request; absent: as the provider's row says. Embeddings only: other requests are sent as
  /// they are.
  Optional<std::size_t> request_inputs{};
  /// The same in bytes of text. A text that is longer than this goes alone.
  Optional<std::size_t> request_bytes{};
  /// How often one request is made again after the server held it back, before it fails with what the server
  /// said. By RetryPolicy's delays that is more than a minute, also where the server names no time.
  int max_refusals{12};
  /// A file that remembers what is done, so that a batch that was killed goes on where it was: what stands in
  /// it is not asked for again. It belongs to one job (model, parameters, inputs; their FNV-1a hash is its
  /// first line): with another one everything fails with Error{config}, and so it does where the file cannot
  /// be written. One process at a time. Empty: nothing is remembered.
  std::string checkpoint{};
  /// Must outlive the call; nullptr: nobody watches.
  BatchObserver* observer{};
  /// Of every single call. `cancel` ends the batch at once with what there is; `executor` and `info` are not
  /// used.
  CallOptions call{};
};

/// Inputs that came to nothing.
struct BatchFailure {
  std::size_t first{};  ///< the first of them
  std::size_t count{};  ///< how many, from there on
  Error error{};        ///< why
};

namespace embeddings {

/// Rows for many texts.
struct Rows {
  std::string model{};                   ///< that answered
  std::size_t inputs{};                  ///< how many texts there were
  std::size_t dimensions{};              ///< floats a row; 0 when no text has a row
  std::vector<float> values{};           ///< [inputs, dimensions], row after row; zeros for texts that failed
  std::vector<BatchFailure> failures{};  ///< in the order of the inputs
  Usage usage{};                         ///< prompt and total tokens of all requests together

  /// The row of input `index`; empty for one that failed.
  INFERWIRE_API std::span<const float> row(std::size_t index) const noexcept;
};

/// The rows of `texts`. `request` says how each request is made; its `input` does not count. A request that
/// the server finds too large, or refuses for what may be one of the texts, is cut in pieces; what fails in
/// the end is named in Rows::failures, and does not keep the others from being done. Where 32 texts from all
/// over the corpus were refused, each by itself, and none was answered, the rest fails as they did. After a
/// refusal that holds for all (auth, quota, config, or a wait that the server wants and
/// RetryPolicy::max_server_delay does not grant) nothing new is asked.
INFERWIRE_API Rows create_all(const Client& client, const std::vector<std::string>& texts, Request request,
                              const BatchOptions& options = {});

}  // namespace embeddings

namespace chat {

/// The answers to `requests`, each at its place.
INFERWIRE_API std::vector<Result<Response>> create_all(const Client& client,
                                                       const std::vector<Request>& requests,
                                                       const BatchOptions& options = {});

}  // namespace chat

namespace completions {

/// What the model makes of each of `prompts`, asked one by one. `request` says how; its `prompt` does not
/// count.
INFERWIRE_API std::vector<Result<Response>> create_all(const Client& client,
                                                       const std::vector<std::string>& prompts,
                                                       Request request, const BatchOptions& options = {});

}  // namespace completions

/// A request of the caller's own making; see Client::request.
struct RawRequest {
  std::string method{"POST"};
  std::string path{};     ///< below the base URL, escaped already: "/rerank"
  Optional<Json> body{};  ///< absent: none
};

/// Requests that are made up while others are under way, for jobs that do not fit into memory.
class INFERWIRE_API RawBatch {
 public:
  virtual ~RawBatch();
  /// The next request; false: there are no more. The first one has the number 0. Nothing else goes on while
  /// it waits for something: answers that have come are told before the next call.
  virtual bool next(RawRequest& request) = 0;
  /// What came of request `number`, in the order in which they end.
  virtual void on_answer(std::size_t number, Result<RawResponse> answer) = 0;
};

/// Makes the requests of `batch`, whose functions are called on the calling thread. After a cancellation, or
/// a refusal that holds for all (as above), no further one is taken, and that is the error. Checkpoints are
/// the batch's own business: Error{config} where the options name one.
INFERWIRE_API Result<void> request_all(const Client& client, RawBatch& batch,
                                       const BatchOptions& options = {});

}  // namespace inferwire::inline v0_1
