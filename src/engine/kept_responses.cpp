#include "engine/kept_responses.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

auto has_id(std::string_view id) {
  return [id](const KeptRef& kept) { return kept->response.id == id; };
}

}  // namespace

void KeptResponses::add(KeptRef response) {
  if (!keeps(response->bytes)) return;
  std::vector<KeptRef> dropped;  // destroyed after the lock is released
  const std::lock_guard lock(mutex_);
  responses_.push_back(std::move(response));
  drop_oldest(dropped);
}

void KeptResponses::make_room() {
  std::vector<KeptRef> dropped;  // destroyed after the lock is released
  const std::lock_guard lock(mutex_);
  drop_oldest(dropped);
}

KeptRef KeptResponses::find(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(responses_, has_id(id));
  return found == responses_.end() ? nullptr : *found;
}

std::vector<KeptRef> KeptResponses::all() const {
  const std::lock_guard lock(mutex_);
  return {responses_.begin(), responses_.end()};
}

bool KeptResponses::remove(std::string_view id) {
  KeptRef removed;  // destroyed after the lock is released
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(responses_, has_id(id));
  if (found == responses_.end()) return false;
  removed = std::move(*found);
  responses_.erase(found);
  return true;
}

void KeptResponses::drop_oldest(std::vector<KeptRef>& dropped) {
  std::size_t fitting = 0, bytes = 0;
  for (auto at = responses_.rbegin(); at != responses_.rend() && fitting < most_; ++at) {
    bytes += (*at)->size();
    if (bytes > most_bytes_) break;
    ++fitting;
  }
  while (responses_.size() > fitting) {
    dropped.push_back(std::move(responses_.front()));
    responses_.pop_front();
  }
}

}  // namespace inferwire::inline v0_1::engine
