#include "wire/item_folds.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::wire {
namespace {

constexpr std::size_t most_items = 1024;

}  // namespace

void ItemFolds::begin_turn() {
  close(true);
  over_ = false;
}

void ItemFolds::set_all(const std::vector<responses::Item>& output, bool over) {
  over_ = false;
  if (!output.empty()) items_.clear();
  for (const auto& item : output) set(static_cast<std::int64_t>(items_.size()), item, over);
  over_ = over;
}

void ItemFolds::set(Optional<std::int64_t> index, const responses::Item& item, bool done) {
  if (over_) begin_turn();
  const auto fits = [&item](const ItemFold& candidate) { return candidate.item.index() == item.index(); };
  ItemFold* fold = find(index, id_of(item), fits, true);
  if (fold == nullptr && !index && done) fold = find_open_call(call_id_of(item));
  if (fold == nullptr && !index && done) {
    const auto open = std::ranges::find_if(
        items_, [&fits](const ItemFold& candidate) { return !candidate.done && fits(candidate); });
    if (open != items_.end()) fold = &*open;
  }
  if (fold == nullptr) fold = add(index, {});
  if (fold != nullptr) fold->set(item, done);
}

std::vector<responses::Item> ItemFolds::take(bool complete) && {
  close(complete);
  return std::move(closed_);
}

ItemFold* ItemFolds::add(Optional<std::int64_t> index, std::string id) {
  if (closed_.size() + items_.size() >= most_items) return nullptr;
  items_.push_back({.index = index, .id = std::move(id)});
  return &items_.back();
}

ItemFold* ItemFolds::find_or_add(Optional<std::int64_t> index, const std::string& id, IsKind fits) {
  if (over_) begin_turn();
  const auto holds = [fits](const ItemFold& candidate) { return (candidate.*fits)(); };
  if (ItemFold* const same = find(index, id, holds, true)) return same;
  if (!index) {
    if (ItemFold* const late = find(index, id, holds, false)) return late;
    const auto latest = std::find_if(items_.rbegin(), items_.rend(),
                                     [&holds](const ItemFold& one) { return !one.done && holds(one); });
    if (latest != items_.rend()) return &*latest;
  }
  return add(index, id);
}

/// The open call with this `call_id`; nullptr also if it is empty.
ItemFold* ItemFolds::find_open_call(std::string_view call_id) noexcept {
  const auto found = std::ranges::find_if(items_, [&](const ItemFold& fold) {
    return !fold.done && !call_id.empty() && call_id_of(fold.item) == call_id;
  });
  return found == items_.end() ? nullptr : &*found;
}

/// The item with this index that `fits`, since some servers give items of several kinds the same; without an
/// index, the first with this id that does, and is open if it has to be: agents on Databricks give all items
/// of a turn the same id.
template <class Fits>
ItemFold* ItemFolds::find(Optional<std::int64_t> index, const std::string& id, Fits fits, bool open) {
  const auto found = std::ranges::find_if(items_, [&](const ItemFold& fold) {
    if (index) return fold.index == index && (fold.is_blank() || fits(fold));
    return !id.empty() && fold.id == id && fits(fold) && !(open && fold.done);
  });
  return found == items_.end() ? nullptr : &*found;
}

void ItemFolds::close(bool complete) {
  std::vector<std::size_t> order(items_.size());
  std::iota(order.begin(), order.end(), 0U);
  if (std::ranges::all_of(items_, [](const ItemFold& fold) { return fold.index.has_value(); })) {
    // The first of several with one index comes first; clang complains about libstdc++'s stable_sort.
    std::ranges::sort(order, {}, [this](std::size_t at) { return std::pair(*items_[at].index, at); });
  }
  for (const auto at : order) closed_.push_back(std::move(items_[at]).finished(complete, over_));
  items_.clear();
}

}  // namespace inferwire::inline v0_1::wire
