#include "inferwire/async_stream.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "client/stream/async_stream_core.hpp"
#include "client/stream/stream_fold.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/response_events.hpp"

namespace inferwire::inline v0_1 {

template <class T>
Pending<Collected<typename Folds<T>::Response>> AsyncStream<T>::collect() {
  auto core = face_.core();
  if (!core) {
    core = std::make_shared<detail::StillbornStream<T>>(
        nullptr, Error{.kind = ErrorKind::config, .detail = "there is no stream to collect"});
  }
  auto fold = std::make_shared<client::StreamFoldOf<T>>(core);
  core->collect(fold);
  return Pending<Collected<typename Folds<T>::Response>>(std::move(fold), face_.owner());
}

template INFERWIRE_API Pending<Collected<chat::Response>> AsyncStream<chat::Chunk>::collect();
template INFERWIRE_API Pending<Collected<std::vector<Json>>> AsyncStream<Json>::collect();
template INFERWIRE_API Pending<Collected<completions::Response>> AsyncStream<completions::Chunk>::collect();
template INFERWIRE_API Pending<Collected<responses::Response>> AsyncStream<responses::Event>::collect();

}  // namespace inferwire::inline v0_1
