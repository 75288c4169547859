#include "base/ended_call.hpp"
#include "client/counted.hpp"
#include "client/token_sums.hpp"
#include "client/tools/tool_turns.hpp"
#include "inferwire/tools.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace inferwire::inline v0_1 {

namespace {

template <class Details>
void add(Optional<Details>& sums, Optional<std::int64_t> Details::* sum,
         const Optional<std::int64_t>& tokens) {
  if (!tokens) return;
  if (!sums) sums.emplace();
  client::add_tokens((*sums).*sum, tokens);
}
void add(Usage& sum, const Usage& usage) {
  client::add_tokens(sum.prompt_tokens, usage.prompt());
  client::add_tokens(sum.completion_tokens, usage.completion());
  client::add_tokens(sum.total_tokens, usage.total());
  add(sum.prompt_tokens_details, &PromptTokensDetails::cached_tokens, usage.cached());
  add(sum.prompt_tokens_details, &PromptTokensDetails::cache_write_tokens, usage.cache_write());
  add(sum.completion_tokens_details, &CompletionTokensDetails::reasoning_tokens, usage.reasoning());
}

}  // namespace

std::string_view name(ToolLoopState state) noexcept {
  switch (state) {
    case ToolLoopState::asking: return "asking";
    case ToolLoopState::answered: return "answered";
    case ToolLoopState::waiting: return "waiting";
    case ToolLoopState::cut: return "cut";
    case ToolLoopState::exhausted: return "exhausted";
    case ToolLoopState::failed: return "failed";
  }
  return "unknown";
}

template <class Request, class Response>
ToolLoopOf<Request, Response>::ToolLoopOf(Request request, Toolbox tools, int most_requests)
    : request_(std::move(request)),
      tools_(std::move(tools)),
      most_requests_(std::max(most_requests, 1)),
      left_(most_requests_) {
  client::add_tools(request_, tools_);
}

template <class Request, class Response>
void ToolLoopOf<Request, Response>::take(Result<Response> reply, const CancelToken& cancel) {
  calls_.clear();
  error_.reset();
  if (!reply) return end(ToolLoopState::failed, std::move(reply).error());
  response_ = *std::move(reply);
  client::make_ids_unique(request_, response_);
  seen_ = client::conversation(request_).size();
  --left_;
  if (response_.usage) add(usage_, *response_.usage);
  if (auto failure = client::failure_of(response_)) {
    end(ToolLoopState::failed, *std::move(failure));
  } else if (!client::has_calls(response_) && client::awaited(response_).empty()) {
    client::add_turn(request_, seen_, response_, {});
    seen_ = client::conversation(request_).size();
    ending_ = client::end_of(request_);
    state_ = ToolLoopState::answered;
  } else if (!client::is_whole(response_)) {
    const auto finish = response_.finish();
    const auto kind = finish == Finish::content_filter ? ErrorKind::content_filter
                      : finish == Finish::error        ? ErrorKind::truncated
                                                       : ErrorKind::length;
    end(ToolLoopState::cut,
        Error{.kind = kind, .detail = "an answer that calls tools was cut, so none was run"});
  } else if (client::has_cut_calls(response_)) {
    end(ToolLoopState::cut, Error{.kind = ErrorKind::truncated,
                                  .detail = "the stream ended inside of what it calls, so none was run"});
  } else if (left_ <= 0 && client::has_calls(response_)) {
    client::drop_stored(request_);
    seen_ = client::conversation(request_).size();
    ending_ = client::end_of(request_);
    end(ToolLoopState::exhausted,
        Error{.kind = ErrorKind::tool,
              .detail = "the model still calls tools after " + client::counted(most_requests_, "request")});
  } else {
    run_calls(cancel);
  }
}

template <class Request, class Response>
void ToolLoopOf<Request, Response>::take(Collected<Response> reply, const CancelToken& cancel) {
  if (!reply.error) return take(std::move(reply).result(), cancel);
  calls_.clear();
  response_ = std::move(reply.response);
  if (response_.usage) add(usage_, *response_.usage);
  end(ToolLoopState::failed, *std::move(reply.error));
}

template <class Request, class Response>
Result<Response> ToolLoopOf<Request, Response>::run(const Client& client, const CallOptions& options) {
  const bool may_be_changed = state_ == ToolLoopState::answered || state_ == ToolLoopState::waiting;
  const auto is_changed = [this] {
    return client::conversation(request_).size() > seen_ || client::end_of(request_) != ending_;
  };
  if (may_be_changed && is_changed()) go_on(options.cancel);
  // The count of requests goes on: each may fail, after calls have been run.
  if (state_ == ToolLoopState::failed) state_ = ToolLoopState::asking;
  while (state_ == ToolLoopState::asking) take(client::ask(client, request_, options), options.cancel);
  if (error_) return *error_;
  return response_;
}

template <class Request, class Response>
void ToolLoopOf<Request, Response>::go_on(const CancelToken& cancel) {
  error_.reset();
  left_ = most_requests_;
  const bool has_calls_left = std::exchange(state_, ToolLoopState::asking) == ToolLoopState::exhausted;
  if (!has_calls_left) return;
  seen_ = client::place_of_turn(request_, std::move(ending_), seen_);
  run_calls(cancel);
}

template <class Request, class Response>
void ToolLoopOf<Request, Response>::run_calls(const CancelToken& cancel) {
  calls_ = client::calls_of(response_);
  tools_.run_all(calls_, cancel);
  client::add_turn(request_, seen_, response_, calls_);
  const auto types = client::awaited(response_);
  if (!types.empty()) {
    seen_ = client::conversation(request_).size();
    ending_ = client::end_of(request_);
    end(ToolLoopState::waiting,
        Error{.kind = ErrorKind::tool,
              .detail = "the model waits for an answer of the program's to: " + types});
  }
  if (cancel.cancelled()) end(types.empty() ? ToolLoopState::failed : state_, cancelled());
}

template <class Request, class Response>
void ToolLoopOf<Request, Response>::end(ToolLoopState state, Error error) {
  state_ = state;
  error_ = std::move(error);
}

// Exported here as well: a template is no more visible than its arguments are.
template class INFERWIRE_API ToolLoopOf<chat::Request, chat::Response>;
template class INFERWIRE_API ToolLoopOf<responses::Request, responses::Response>;

}  // namespace inferwire::inline v0_1
