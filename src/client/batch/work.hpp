/// \file
/// What a batch does: which requests it makes, and what becomes of their answers.
#pragma once

#include "client/batch/checkpoint.hpp"
#include "client/batch/slice.hpp"
#include "client/batch/tokens.hpp"
#include "inferwire/client_options.hpp"
#include "inferwire/error.hpp"
#include "inferwire/pending.hpp"
#include "inferwire/result.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::client {

/// What is known about a batch before its first request.
struct BatchFacts {
  std::size_t inputs{};                ///< in all; 0: unknown
  std::size_t done{};                  ///< inputs with an answer from before
  std::size_t failed{};                ///< inputs that cannot be sent
  std::optional<Slice> done_before{};  ///< one of the inputs in `done`, if sampled
  bool alike{};                        ///< all requests name the same model and path
  bool sampled{};                      ///< rejected inputs may be representative of all others
  bool follows_results{};              ///< `next` may depend on the results so far
};

/// The answer to a request of a batch, whatever its type, or an error. The functions below `take_error` are
/// those of an answer.
class BatchReply {
 public:
  virtual ~BatchReply() = default;

  /// Moves the error out; std::nullopt: there is an answer.
  virtual std::optional<Error> take_error() noexcept = 0;
  /// The number of tokens that it reports; 0 if it reports none.
  virtual std::int64_t tokens() const = 0;
  /// Makes it the result of `slice`. An error: it is unusable, or there is no room for it
  /// (`BatchWork::why_over`).
  virtual std::optional<Error> keep(const Slice& slice) = 0;
  /// Counts the tokens of an answer that is not kept.
  virtual void count() = 0;
};

/// Called with what became of a request, once, on any thread.
using PutReply = std::function<void(std::unique_ptr<BatchReply>)>;

/// Used by the thread that runs the batch.
class BatchWork {
 public:
  virtual ~BatchWork() = default;

  /// Takes results from the checkpoint at `path`, before anything else is called. Errors: config, or that of
  /// `why_stopped`.
  virtual Result<void> resume(const std::string& path, const WhyStopped& why_stopped) = 0;
  virtual BatchFacts facts() const = 0;
  /// The next slice; std::nullopt: there are no more.
  virtual std::optional<Slice> next() = 0;
  /// Sends the request of a slice. Its answer must not be used longer than this work.
  virtual void start(const Slice& slice, const CallOptions& options, PutReply put) = 0;
  /// Why no further answers can be kept or recorded; nullptr: they can.
  virtual const Error* why_over() const noexcept = 0;
  virtual void fail(const Slice& slice, const Error& error) = 0;
  /// Fails a slice with the error of another request.
  virtual void give_up(const Slice& slice, const Error& error) = 0;
  /// Fails all slices that `next` has not returned.
  virtual void give_up(const Error& error) = 0;
};

/// Work whose requests are answered by a `Response`.
template <class Response>
class BatchWorkOf : public BatchWork {
 public:
  void start(const Slice& slice, const CallOptions& options, PutReply put) final {
    // Made before the request: on the event loop, nobody would be told that there is no memory for it.
    auto reply = std::make_unique<Reply>(this);
    ask(slice, options).then([reply = std::move(reply), put = std::move(put)](Result<Response> got) mutable {
      reply->fill(std::move(got));
      put(std::move(reply));
    });
  }

 private:
  class Reply final : public BatchReply {
   public:
    explicit Reply(BatchWorkOf* work) : work_(work) {}

    void fill(Result<Response> got) noexcept { got_ = std::move(got); }

    std::optional<Error> take_error() noexcept override {
      return got_ ? std::nullopt : std::optional(std::move(got_).error());
    }
    std::int64_t tokens() const override { return tokens_of(*got_); }
    std::optional<Error> keep(const Slice& slice) override { return work_->keep(slice, *std::move(got_)); }
    void count() override { work_->count(*got_); }

   private:
    BatchWorkOf* work_;  ///< gone once the batch has ended: then nobody uses the reply
    Result<Response> got_{};
  };

  virtual Pending<Response> ask(const Slice& slice, const CallOptions& options) = 0;
  /// See BatchReply for these.
  virtual std::optional<Error> keep(const Slice& slice, Response answer) = 0;
  virtual void count(const Response&) {}
};

}  // namespace inferwire::inline v0_1::client
