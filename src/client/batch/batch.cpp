// Batches of requests with one answer each, and of raw requests.
#include "inferwire/batch.hpp"

#include "client/batch/checkpoint.hpp"
#include "client/batch/inputs.hpp"
#include "client/batch/kept_errors.hpp"
#include "client/batch/run.hpp"
#include "inferwire/from_json.hpp"
#include "wire/documents.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1 {

namespace client {

namespace {

/// Work of requests with one answer each.
template <class T>
class AnswersWork final : public BatchWorkOf<T> {
 public:
  /// Starts request number i.
  using Ask = std::function<Pending<T>(std::size_t i, const CallOptions&)>;

  AnswersWork(std::size_t count, bool alike, const JobHash& job, Ask ask)
      : ask_(std::move(ask)), job_(job), alike_(alike), inputs_(count), replies_(count) {}

  Result<void> resume(const std::string& path, const WhyStopped& why_stopped) override {
    return inputs_.open(path, job_, why_stopped, [this](const Slice& slice, const Json& text) {
      if (slice.count != 1) return false;
      auto answer = from_json<T>(text);
      if (!answer) return false;
      replies_[slice.first] = *std::move(answer);
      return true;
    });
  }

  BatchFacts facts() const override {
    return {.inputs = inputs_.size(), .done = inputs_.done_count(), .alike = alike_};
  }
  std::optional<Slice> next() override {
    return inputs_.next([](const Slice&) { return false; });
  }
  const Error* why_over() const noexcept override { return inputs_.unrecorded(); }
  void fail(const Slice& slice, const Error& error) override { replies_[slice.first] = errors_.keep(error); }
  void give_up(const Slice& slice, const Error& error) override { replies_[slice.first] = error; }
  void give_up(const Error& error) override {
    while (const auto slice = next()) give_up(*slice, error);
  }

  std::vector<Result<T>> take() { return std::move(replies_); }

 private:
  Pending<T> ask(const Slice& slice, const CallOptions& options) override {
    return ask_(slice.first, options);
  }
  std::optional<Error> keep(const Slice& slice, T answer) override {
    if (auto problem = inputs_.record(slice, [&answer] { return json::encode(answer); })) return problem;
    replies_[slice.first] = std::move(answer);
    return std::nullopt;
  }

  Ask ask_;
  JobHash job_;
  bool alike_;
  BatchInputs inputs_;
  std::vector<Result<T>> replies_;
  KeptErrors errors_;
};

template <class T>
std::vector<Result<T>> answer_all(const Client& client, std::size_t count, bool alike,
                                  const BatchOptions& options, const JobHash& job,
                                  typename AnswersWork<T>::Ask ask) {
  AnswersWork<T> work(count, alike, job, std::move(ask));
  static_cast<void>(run_batch(client, options, work));  // the error is in the replies
  return work.take();
}

/// Sends complete requests to `resource`; `word` is its name in the hash of the job.
template <class Resource, class Request>
auto answer_requests(const Client& client, const Resource& resource, std::string_view word,
                     const std::vector<Request>& requests, const BatchOptions& options) {
  JobHash job;
  job.add(word);
  if (!options.checkpoint.empty()) {
    add_edits(job, options.call);
    for (const auto& request : requests) add_request(job, request);
  }
  const bool alike = std::ranges::all_of(
      requests, [&requests](const Request& request) { return request.model == requests.front().model; });
  using Response = typename decltype(resource.start(requests.front()).get())::value_type;
  return answer_all<Response>(
      client, requests.size(), alike, options, job,
      [&](std::size_t i, const CallOptions& call) { return resource.start(requests[i], call); });
}

/// Work of raw requests.
class RawWork final : public BatchWorkOf<RawResponse> {
 public:
  RawWork(const Client& client, RawBatch& batch) : client_(client), batch_(batch) {}

  Result<void> resume(const std::string&, const WhyStopped&) override {
    return Error{.kind = ErrorKind::config, .detail = "requests of the caller's own have no checkpoint"};
  }
  BatchFacts facts() const override { return {.follows_results = true}; }
  std::optional<Slice> next() override {
    RawRequest request;
    if (ended_ || !batch_.next(request)) {
      ended_ = true;
      return std::nullopt;
    }
    open_.emplace(count_, std::move(request));
    return Slice{count_++};
  }
  const Error* why_over() const noexcept override { return nullptr; }
  void fail(const Slice& slice, const Error& error) override { end(slice, error); }
  void give_up(const Slice& slice, const Error& error) override { end(slice, error); }
  void give_up(const Error&) override { ended_ = true; }

 private:
  Pending<RawResponse> ask(const Slice& slice, const CallOptions& options) override {
    const auto& request = open_.at(slice.first);
    return client_.start(request.method, request.path, request.body, options);
  }
  std::optional<Error> keep(const Slice& slice, RawResponse answer) override {
    end(slice, std::move(answer));
    return std::nullopt;
  }
  void end(const Slice& slice, Result<RawResponse> answer) {
    open_.erase(slice.first);
    batch_.on_answer(slice.first, std::move(answer));
  }

  const Client& client_;
  RawBatch& batch_;
  std::map<std::size_t, RawRequest> open_;  ///< requests without an answer
  std::size_t count_{};
  bool ended_{};
};

}  // namespace

}  // namespace client

BatchObserver::~BatchObserver() = default;
void BatchObserver::on_wait() {}
RawBatch::~RawBatch() = default;

std::vector<Result<chat::Response>> chat::create_all(const Client& client,
                                                     const std::vector<Request>& requests,
                                                     const BatchOptions& options) {
  return client::answer_requests(client, client.chat, "chat", requests, options);
}

std::vector<Result<responses::Response>> responses::create_all(const Client& client,
                                                               const std::vector<Request>& requests,
                                                               const BatchOptions& options) {
  return client::answer_requests(client, client.responses, "responses", requests, options);
}

std::vector<Result<completions::Response>> completions::create_all(const Client& client,
                                                                   const std::vector<std::string>& prompts,
                                                                   Request request,
                                                                   const BatchOptions& options) {
  client::JobHash job;
  job.add("completions");
  if (!options.checkpoint.empty()) {
    request.prompt = std::string();
    client::add_edits(job, options.call);
    client::add_request(job, request);
    for (const auto& prompt : prompts) job.add(prompt);
  }
  return client::answer_all<Response>(client, prompts.size(), true, options, job,
                                      [&](std::size_t i, const CallOptions& call) {
                                        request.prompt = prompts[i];
                                        return client.completions.start(request, call);
                                      });
}

Result<void> request_all(const Client& client, RawBatch& batch, const BatchOptions& options) {
  client::RawWork work(client, batch);
  return client::run_batch(client, options, work);
}

}  // namespace inferwire::inline v0_1
