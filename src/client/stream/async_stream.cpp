#include "inferwire/async_stream.hpp"

#include "client/stream/failed_stream.hpp"
#include "client/stream/stream_fold.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/response_events.hpp"

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1 {

namespace detail {

StreamListener::~StreamListener() = default;

}  // namespace detail

template <class T>
Pending<Collected<typename Folds<T>::Response>> AsyncStream<T>::fold(
    std::unique_ptr<detail::StreamListener> listener) {
  auto core = core_;
  if (!core) {
    core = std::make_shared<client::FailedStream>(std::type_identity<T>(), nullptr, CallOptions(),
                                                  detail::no_stream());
  }
  auto fold = std::make_shared<client::StreamFoldOf<T>>(core);
  core->collect(fold, std::move(listener));
  return detail::HandleAccess::make<Pending<Collected<typename Folds<T>::Response>>>(std::move(fold), owner_);
}

template INFERWIRE_API Pending<Collected<chat::Response>> AsyncStream<chat::Chunk>::fold(
    std::unique_ptr<detail::StreamListener>);
template INFERWIRE_API Pending<Collected<std::vector<Json>>> AsyncStream<Json>::fold(
    std::unique_ptr<detail::StreamListener>);
template INFERWIRE_API Pending<Collected<completions::Response>> AsyncStream<completions::Chunk>::fold(
    std::unique_ptr<detail::StreamListener>);
template INFERWIRE_API Pending<Collected<responses::Response>> AsyncStream<responses::Event>::fold(
    std::unique_ptr<detail::StreamListener>);

}  // namespace inferwire::inline v0_1
