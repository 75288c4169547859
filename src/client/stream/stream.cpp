#include "inferwire/stream.hpp"

#include "base/immortal.hpp"
#include "base/thrown.hpp"
#include "client/stream/misuse.hpp"
#include "client/stream/stream_core.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/response_events.hpp"

#include <utility>

namespace inferwire::inline v0_1 {

Error detail::no_stream() { return {.kind = ErrorKind::config, .detail = "there is no stream to read"}; }

const ResponseInfo& detail::no_info() noexcept {
  static const Immortal<ResponseInfo> nothing;
  return nothing.value;
}

std::string_view name(EndReason reason) noexcept {
  switch (reason) {
    case EndReason::none: return "none";
    case EndReason::done: return "done";
    case EndReason::eof_after_finish: return "eof_after_finish";
    case EndReason::failed: return "failed";
  }
  return "unknown";
}

template <class T>
Stream<T>::Stream() noexcept = default;
template <class T>
Stream<T>::Stream(std::unique_ptr<detail::StreamCore> core) : core_(std::move(core)) {}
template <class T>
Stream<T>::Stream(Stream&&) noexcept = default;
template <class T>
Stream<T>& Stream<T>::operator=(Stream&&) noexcept = default;
template <class T>
Stream<T>::~Stream() = default;

template <class T>
const Result<T>* Stream<T>::next() & {
  // The element is decoded into the previous one, whose strings and lists keep their memory. After an error
  // the stream is over.
  if (!element_) return nullptr;
  if (!core_) {
    element_ = detail::no_stream();
    return &element_;
  }
  switch (core_->next(&*element_)) {
    case detail::StreamCore::Next::element: return &element_;
    case detail::StreamCore::Next::waiting:  // never returned here
    case detail::StreamCore::Next::end: return nullptr;
    case detail::StreamCore::Next::failed: break;
  }
  element_ = core_->take_error();
  return &element_;
}

template <class T>
Collected<typename Folds<T>::Response> Stream<T>::fold(void (*on_element)(void* function, const T&),
                                                       void* function) {
  const bool is_rest = core_ && core_->info().events > 0;
  typename Folds<T>::Accumulator fold;
  while (const auto* element = next()) {
    if (!*element) break;
    fold.add(**element);
    if (on_element == nullptr) continue;
    try {
      on_element(function, **element);
    } catch (...) {
      core_->leave(thrown_by("the function that collects"));
      element_ = core_->take_error();
    }
  }
  // A stream that failed keeps its error, even if that was read before.
  std::optional<Error> error;
  if (!element_) error = element_.error();
  if (!core_) error = detail::no_stream();
  if (!error && is_rest) error = client::partly_read();
  return {fold.take(!error), std::move(error)};
}

template <class T>
const ResponseInfo& Stream<T>::info() const noexcept {
  return core_ ? core_->info() : detail::no_info();
}

template <class T>
EndReason Stream<T>::end_reason() const noexcept {
  return core_ ? core_->end_reason() : EndReason::failed;
}

// Exported here as well: a template is no more visible than its arguments are.
template class INFERWIRE_API Stream<chat::Chunk>;
template class INFERWIRE_API Stream<Json>;
template class INFERWIRE_API Stream<completions::Chunk>;
template class INFERWIRE_API Stream<responses::Event>;

}  // namespace inferwire::inline v0_1
