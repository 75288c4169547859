/// \file
/// Operations for Asio's coroutines, whose `awaitable` accepts no others: an answer, and the next element of
/// a stream. Copy this file. Asio cancels these operations like its own, for example when a timer fires
/// first:
///
///     auto pending = client.chat.start(request);
///     const auto first = co_await (answer_of(pending) || timer.async_wait(asio::use_awaitable));
///
/// They end on the io_context where they began, which has to exist until then: instead of calling its `stop`,
/// cancel the calls, by a token that all of them have, and let its `run` return.
#pragma once

#include <asio.hpp>
#include <inferwire/inferwire.hpp>

#include <coroutine>
#include <exception>
#include <utility>

namespace example {

/// A coroutine that begins at once, and that nobody waits for.
struct Detached {
  struct promise_type {
    Detached get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };
};

/// Waits on the client's loop, and passes the outcome to `handler` where that has to run.
template <class Awaited, class Handler>
Detached pass_on(Awaited awaited, Handler handler) {
  auto work = asio::make_work_guard(handler);  // keeps io_context::run going until then
  auto outcome = co_await awaited;
  asio::post(work.get_executor(), [handler = std::move(handler), outcome = std::move(outcome)]() mutable {
    asio::get_associated_cancellation_slot(handler).clear();  // the source may be destroyed from here on
    std::move(handler)(std::move(outcome));
  });
}

/// Waits for `awaited`, which comes from `source`; Asio cancels the source.
template <class Outcome, class Awaited, class Source>
asio::awaitable<Outcome> operation(Awaited awaited, Source& source) {
  return asio::async_initiate<decltype(asio::use_awaitable), void(Outcome)>(
      [&source](auto handler, Awaited passed) {
        if (auto slot = asio::get_associated_cancellation_slot(handler); slot.is_connected()) {
          slot.assign([&source](asio::cancellation_type) { source.cancel(); });
        }
        pass_on(std::move(passed), std::move(handler));
      },
      asio::use_awaitable, std::move(awaited));
}

/// The answer, for which `pending` has to be kept.
template <class T>
asio::awaitable<typename inferwire::Pending<T>::value_type> answer_of(inferwire::Pending<T>& pending) {
  return operation<typename inferwire::Pending<T>::value_type>(pending.operator co_await(), pending);
}

/// The next element, or nullptr after the last one.
template <class T>
asio::awaitable<const inferwire::Result<T>*> next_of(inferwire::AsyncStream<T>& stream) {
  return operation<const inferwire::Result<T>*>(stream.next(), stream);
}

}  // namespace example
