#include "engine/answer/kept_responses.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace inferwire::inline v0_1::engine {
namespace {

constexpr std::size_t most_dropped_ids = 65'536;

auto has_id(std::string_view id) {
  return [id](const KeptRef& kept) { return kept->response.id == id; };
}

}  // namespace

void KeptResponses::add(KeptRef response) {
  if (!keeps(response->bytes)) return;
  std::vector<KeptRef> dropped;
  {
    if (response->background) response->background->count_in(said_);
    const std::lock_guard lock(mutex_);
    bytes_ += response->bytes;
    responses_.push_back(std::move(response));
    drop_oldest(dropped);
  }
  remember_later_output(dropped);
}

void KeptResponses::make_room() {
  std::vector<KeptRef> dropped;
  {
    const std::lock_guard lock(mutex_);
    drop_oldest(dropped);
  }
  remember_later_output(dropped);
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
  bytes_ -= removed->bytes;
  responses_.erase(found);
  return true;
}

bool KeptResponses::has_dropped(std::string_view reasoning_id) const {
  const std::lock_guard lock(mutex_);
  return dropped_ids_.contains(reasoning_id);
}

void KeptResponses::drop_oldest(std::vector<KeptRef>& dropped) {
  auto left = std::min(responses_.size(), most_);
  if (bytes_ + *said_ > most_bytes_) left = fitting();
  while (responses_.size() > left) {
    const auto& oldest = *dropped.emplace_back(std::move(responses_.front()));
    responses_.pop_front();
    bytes_ -= oldest.bytes;
    remember_reasoning(oldest.input);
    remember_reasoning(oldest.response.output);
  }
}

std::size_t KeptResponses::fitting() const {
  std::size_t fitting = 0, bytes = 0;
  for (auto at = responses_.rbegin(); at != responses_.rend() && fitting < most_; ++at) {
    bytes += (*at)->size();
    if (bytes > most_bytes_) break;
    ++fitting;
  }
  return fitting;
}

void KeptResponses::remember_reasoning(const std::vector<responses::Item>& items) {
  for (const auto& item : items) {
    const auto* const reasoning = std::get_if<responses::Reasoning>(&item);
    if (reasoning == nullptr || !reasoning->id || dropped_ids_.contains(*reasoning->id)) continue;
    dropped_ids_.insert(dropped_reasoning_.emplace_back(*reasoning->id));
    if (dropped_ids_.size() <= most_dropped_ids) continue;
    dropped_ids_.erase(dropped_reasoning_.front());
    dropped_reasoning_.pop_front();
  }
}

void KeptResponses::remember_later_output(const std::vector<KeptRef>& dropped) {
  for (const auto& kept : dropped) {
    if (!kept->background) continue;
    const auto output = kept->background->response().output;  // may wait for the model
    const std::lock_guard lock(mutex_);
    remember_reasoning(output);
  }
}

}  // namespace inferwire::inline v0_1::engine
