#include "wire/blocks_fold.hpp"

#include "json/text_at.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace inferwire::inline v0_1::wire {
namespace {

constexpr std::size_t most_blocks = 256;

/// Whether a piece has the member that ends a block. In LiteLLM's other pieces it is empty.
bool ends_block(const Json& piece) {
  for (const auto* const last_of_block : {"/signature", "/data"}) {
    const auto value = piece.find(last_of_block);
    if (value && !value->is_null() && value->text() != R"("")") return true;
  }
  return false;
}

}  // namespace

void BlocksFold::add(const Extra& extra) {
  const Json* const list = extra.find(name_);
  if (list == nullptr || !list->is_array()) return;
  for (const Json& piece : list->items()) {
    if (!piece.is_object()) continue;
    Block* const block = block_of(piece);
    if (block == nullptr) continue;
    block->object.add(piece);
    if (ends_block(piece)) block->whole = true;
  }
}

void BlocksFold::take_into(Extra& extra) && {
  std::string text;
  for (Block& block : blocks_) {
    text += text.empty() ? '[' : ',';
    text += std::move(block.object).take().text();
  }
  if (!text.empty()) extra.set(std::string(name_), Json::raw(std::move(text) + "]"));
}

BlocksFold::Block* BlocksFold::block_of(const Json& piece) {
  const auto number = piece.find("/index");
  const auto index = number ? number->as_int() : Optional<std::int64_t>();
  auto type = json::text_at(piece, "/type");
  const auto same = [&index](const Block& block) { return index && block.index == index; };
  const auto last = std::find_if(blocks_.rbegin(), blocks_.rend(), same);
  if (last != blocks_.rend() && last->type == type) return &*last;
  if (!index && !type.empty() && !joined_.empty() && !blocks_.empty()) {
    Block& open = blocks_.back();
    if (!open.index && !open.whole && open.type == type) return &open;
  }
  if (blocks_.size() == most_blocks) return nullptr;
  return &blocks_.emplace_back(Block{.index = index, .type = std::move(type), .object = ObjectFold(joined_)});
}

}  // namespace inferwire::inline v0_1::wire
