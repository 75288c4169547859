/// \file
/// Sends many requests: a corpus of texts to embed, a file of prompts.
///
///     const auto rows = embeddings::create_all(client, texts, {.model = "text-embedding-3-small"},
///                                              {.checkpoint = "rows.checkpoint"});
///     for (const auto& failure : rows.failures) report(failure);
///     use(rows.row(0));
///
/// The functions block the calling thread while their requests run on the client's event loop, several at a
/// time. Texts are grouped into requests within the provider's limits, and results are in the order of the
/// inputs. This header is not part of inferwire.hpp, so that only programs that use it compile it.
///
/// When the server is overloaded (429, or 503 with Retry-After; with RetryPolicy::errors_in_answers also an
/// answer with a success status that says so), all requests of the batch wait until the time that the server
/// names, not just the one that was refused. Then half as many run at a time, and one more after as many
/// successes as are running. If the headers of answers say how many requests or tokens are left
/// (ResponseInfo::rate_limits), requests are spread over the remaining time before these run out, unless they
/// would then be further apart than RetryPolicy::max_server_delay. All other failures are retried according
/// to the call's RetryPolicy, also while the batch waits. Its `judge` is also asked about refusals and may
/// give a request up, but does not determine how long the batch waits. Each batch adjusts its own rate,
/// regardless of other batches that run at the same time.
///
/// If four requests in a row finally fail with connection, tls, the timer `connect` or, if all requests name
/// the same model and are not raw ones (`request_all`), overloaded or server, after answers to others and
/// without one in between, that is an outage: the batch waits in the same way, for delays that double, and
/// tries one request after each. Those that failed are repeated after the next answer, or when no others are
/// left, at most BatchOptions::max_refusals times, unless the policy retries nothing. After
/// 8 * (max_refusals + 1) delays without an answer the batch ends. Without an outage, the failure is the
/// request's own as soon as one that began after it is answered. A request does not count among the four if
/// one that began after its first attempt had failed was answered: then only its retries took longer.
///
/// After an error that affects every request (auth, quota, config, or a wait longer than
/// RetryPolicy::max_server_delay), no further requests are sent, and the remaining ones fail with the same
/// error. The same happens after 32 requests failed with tls, connection or the timer `connect` and none
/// succeeded. If all requests name the same model, and are not raw ones, this also applies to overloaded,
/// server, not_found, permission_denied and unsupported, and 32 answers in a row that cannot be used (decode)
/// end the batch even after others. It also happens if the server, without an answer so far, has
/// refused 8 * (BatchOptions::max_refusals + 1) times because of load: with the defaults after about a
/// quarter of an hour, if it names no time. Refusals of requests that ran at the same time count as one.
#pragma once

#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/duration.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/responses.hpp"
#include "inferwire/usage.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1 {

/// The progress of a batch.
struct BatchProgress {
  std::size_t inputs{};     ///< how many inputs the whole batch has; 0 if that is not known
  std::size_t done{};       ///< inputs that have a result, including those of a checkpoint
  std::size_t failed{};     ///< inputs that failed
  std::size_t requests{};   ///< requests sent so far, including those that were refused
  std::size_t in_flight{};  ///< requests in progress
  std::size_t allowed{};  ///< how many requests may currently run at a time, adjusted to the server's answers
  /// Requests so far that the server refused because of load, or that failed in an outage, and that are
  /// repeated.
  std::size_t refused{};
  /// No request begins before this time, because of a refusal or an outage; absent: they may begin, or the
  /// batch is about to end.
  Optional<TimePoint> waits_until{};
};

/// Follows the progress of a batch.
class INFERWIRE_API BatchObserver {
 public:
  virtual ~BatchObserver();
  /// Called after each request, and before the first one if the checkpoint has results or some texts cannot
  /// be sent, on the thread that called `create_all`. An exception from it ends the batch and propagates out
  /// of `create_all`.
  virtual void on_progress(const BatchProgress& progress) = 0;
  /// Called on the same thread at least every 100 ms while the batch waits for the server or reads its
  /// checkpoint, so that a program that has to look whether its user wants to stop can do so. It may cancel
  /// the batch; an exception from it has the same effect as one from `on_progress`. By default it does
  /// nothing.
  virtual void on_wait();
};

/// Options of a batch.
struct BatchOptions {
  /// The maximum number of requests in progress at a time, 1 or more.
  std::size_t max_in_flight{8};
  /// The maximum number of texts in one request; absent: as in the provider's row. For embeddings only.
  Optional<std::size_t> max_request_inputs{};
  /// The maximum number of bytes of text in one request; absent: as in the provider's row. A longer text is
  /// sent alone. For embeddings only.
  Optional<std::size_t> max_request_bytes{};
  /// How often one request is repeated after the server refused it because of load, before it fails with the
  /// server's error, whose `attempts` lists them all. With the default delays of RetryPolicy this takes more
  /// than a minute, even if the server names no time. Requests that failed in an outage count as refused.
  int max_refusals{12};
  /// The path of a file that records finished results, so that an interrupted batch can be resumed: results
  /// in the file are not requested again. The file belongs to one job (model, parameters, inputs; their
  /// FNV-1a hash is its first line) and may be used by one process at a time. If it belongs to another job or
  /// cannot be read or written, everything fails with Error{config}; if it cannot be written later, on a full
  /// disk, the batch ends with that error and the results so far. Empty: nothing is recorded.
  std::string checkpoint{};
  /// Observes the progress; must outlive the call. nullptr: none.
  BatchObserver* observer{};
  /// Options of each call. `cancel` ends the batch without waiting for the server, also while it reads the
  /// checkpoint, with the results so far; each request that is left gets an Error, which takes a few seconds
  /// per million. `deadline` ends it as soon as the next request could only be sent after it: requests
  /// that were refused then fail with that refusal, the others with Error{timeout}. `executor` and `info` are
  /// not used.
  CallOptions call{};
};

/// Consecutive inputs that failed with the same error.
struct BatchFailure {
  std::size_t first{};  ///< the index of the first of them
  std::size_t count{};  ///< how many there are
  /// Why they failed; `body` is complete for the first 32 failures, and its first kilobyte for later ones. It
  /// is empty for inputs that fail with the error of another request, for example because the batch ended.
  Error error{};
  /// Whether it is the error of a request that held these inputs. If not, it is that of another request, or
  /// of the whole batch, and it is unknown whether they would have failed too.
  bool own_error{true};
};

namespace embeddings {

/// The rows of many texts.
struct [[nodiscard("the errors are in it")]] Rows {
  std::string model{};  ///< the model that answered first
  /// Other names of models in answers, or in the checkpoint, each once and at most 16: a router or an upgrade
  /// of the model may have changed it. Rows of different models cannot be compared. Empty: one model
  /// answered.
  std::vector<std::string> other_models{};
  std::size_t inputs{};                  ///< how many texts there were
  std::size_t dimensions{};              ///< floats per row; 0 if no text has a row
  std::vector<float> values{};           ///< [inputs, dimensions], row by row; zeros for texts that failed
  std::vector<BatchFailure> failures{};  ///< in the order of the inputs
  /// Prompt and total tokens of all requests together; numbers that are not valid counts are left out.
  Usage usage{};

  /// The row of input `index`; empty for one that failed. Valid as long as this object.
  INFERWIRE_API std::span<const float> row(std::size_t index) const& noexcept INFERWIRE_LIFETIMEBOUND;
  std::span<const float> row(std::size_t) const&& = delete;
};

namespace detail {
INFERWIRE_API Rows create_all(const Client& client, std::span<const std::string_view> texts, Request request,
                              const BatchOptions& options);
}  // namespace detail

/// Texts that are not copied, such as those in a column of a table: anything that converts to a span of
/// std::string_view.
template <class T>
concept TextViews = std::is_convertible_v<const T&, std::span<const std::string_view>>;

/// Embeds `texts`. `request` is the template of each request; its `input` is ignored. Rows of another length
/// than its `dimensions`, or than the first row, and of more than 65536 numbers are Error{decode}. If all
/// rows together do not fit into memory, the batch ends with Error{too_large}. A request that the server
/// finds too large, or refuses with an error that one of the texts may have caused, is split. Texts that
/// still fail are listed in Rows::failures; the others are processed. Texts that are not UTF-8 fail without a
/// request: Error{invalid_request}. If 32 texts in a row are each refused on their own, a text that was
/// answered is asked for again. If it is refused too, or none was answered so far, and so are 32 texts
/// sampled across the rest, the remaining texts fail with the same error: see docs/batches.md.
INFERWIRE_API Rows create_all(const Client& client, const std::vector<std::string>& texts, Request request,
                              const BatchOptions& options = {});
template <TextViews Texts>
Rows create_all(const Client& client, const Texts& texts, Request request, const BatchOptions& options = {}) {
  return detail::create_all(client, texts, std::move(request), options);
}

}  // namespace embeddings

namespace chat {

/// The answers to `requests`, in the same order. The first 32 errors have their complete `body`, later ones
/// its first kilobyte, and those of requests that fail because the batch ended none.
[[nodiscard("the errors are in it")]] INFERWIRE_API std::vector<Result<Response>> create_all(
    const Client& client, const std::vector<Request>& requests, const BatchOptions& options = {});

}  // namespace chat

namespace completions {

/// The completions of `prompts`, one request per prompt. `request` is the template; its `prompt` is ignored.
/// Errors as for chat::create_all.
[[nodiscard("the errors are in it")]] INFERWIRE_API std::vector<Result<Response>> create_all(
    const Client& client, const std::vector<std::string>& prompts, Request request,
    const BatchOptions& options = {});

}  // namespace completions

namespace responses {

/// The responses to `requests`, in the same order. Errors as for chat::create_all.
[[nodiscard("the errors are in it")]] INFERWIRE_API std::vector<Result<Response>> create_all(
    const Client& client, const std::vector<Request>& requests, const BatchOptions& options = {});

}  // namespace responses

/// A raw request; see Client::request.
struct RawRequest {
  std::string method{"POST"};
  std::string path{};     ///< below the base URL, already escaped: "/rerank"
  Optional<Json> body{};  ///< absent: none
};

/// What `create` of the client's resource would send for `request`: the provider's path, and the body as the
/// provider takes it. `options` are those of the batch's calls. The answer is read by `RawResponse::document`
/// and `from_json`. Errors: those of `create` with a request that cannot be sent.
INFERWIRE_API Result<RawRequest> raw_request(const Client& client, const chat::Request& request,
                                             const CallOptions& options = {});
INFERWIRE_API Result<RawRequest> raw_request(const Client& client, const completions::Request& request,
                                             const CallOptions& options = {});
INFERWIRE_API Result<RawRequest> raw_request(const Client& client, const responses::Request& request,
                                             const CallOptions& options = {});

/// Generates requests while others are in progress, for jobs that do not fit into memory. An exception from
/// its functions ends the batch and propagates out of `request_all`.
class INFERWIRE_API RawBatch {
 public:
  virtual ~RawBatch();
  /// Fills in the next request; false: there are no more. The first request has number 0. The batch stands
  /// still while this function blocks; answers that have arrived are delivered before the next call, but a
  /// failure that may be due to an outage only if no other request is in progress.
  virtual bool next(RawRequest& request) = 0;
  /// Receives the result of request `number`; called in the order in which results are final.
  virtual void on_answer(std::size_t number, Result<RawResponse> answer) = 0;
};

/// Sends the requests of `batch`, whose functions are called on the calling thread. After a cancellation, an
/// error that affects every request (see above) or the deadline, no further request is taken, and that error
/// is returned. Checkpoints are not supported: Error{config} if the options name one.
INFERWIRE_API Result<void> request_all(const Client& client, RawBatch& batch,
                                       const BatchOptions& options = {});

}  // namespace inferwire::inline v0_1
