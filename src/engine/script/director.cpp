#include "engine/script/director.hpp"

#include "engine/model/random.hpp"
#include "engine/script/asked.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

/// Makes the seed of the random faults differ from that of the texts.
constexpr std::uint64_t chaos_salt = 0x63'68'61'6F'73;

Reply reply_of(const Rule& rule, std::uint64_t turn, const HttpRequest& request) {
  if (rule.replies.empty()) return reply::Generate();
  const auto place = std::min<std::uint64_t>(turn, rule.replies.size() - 1);
  const auto& reply = rule.replies[static_cast<std::size_t>(place)];
  const auto* ask = std::get_if<reply::Ask>(&reply);
  return ask != nullptr && ask->responder ? ask->responder->reply(request) : reply;
}

}  // namespace

Condition::~Condition() = default;
reply::Responder::~Responder() = default;

Director::Director(Script script, std::uint64_t seed)
    : script_(std::move(script)),
      seed_(mix(seed, chaos_salt)),
      matched_(std::make_unique<std::atomic<std::uint64_t>[]>(script_.rules.size())) {
  for (std::size_t i = 0; i < script_.rules.size(); ++i) {
    if (script_.rules[i].name.empty()) script_.rules[i].name = "rule " + std::to_string(i + 1);
  }
}

bool Director::is_idle() const noexcept {
  const auto& chaos = script_.chaos;
  return script_.rules.empty() && !script_.strict && chaos.failures <= 0 && chaos.cuts <= 0 &&
         chaos.stalls <= 0 && chaos.slow_starts <= 0;
}

Direction Director::direct(const HttpRequest& request, std::string name, std::uint64_t number) {
  Direction direction;
  const Asked asked(request, std::move(name));
  for (std::size_t i = 0; i < script_.rules.size(); ++i) {
    const auto& rule = script_.rules[i];
    if (const auto miss = asked.misses(rule.when)) {
      direction.near_misses.push_back(rule.name + ": " + *miss);
      continue;
    }
    const auto turn = matched_[i].fetch_add(1, std::memory_order_relaxed);
    if (turn < rule.skip || (rule.times > 0 && turn - rule.skip >= rule.times)) {
      direction.near_misses.push_back(rule.name +
                                      (turn < rule.skip ? ": it matches later" : ": it is used up"));
      continue;
    }
    direction = {.reply = reply_of(rule, turn - rule.skip, request),
                 .fault = rule.fault,
                 .pacing = rule.pacing,
                 .rule = rule.name};
    break;
  }
  direction.refused = script_.strict && direction.rule.empty();
  add_chaos(direction, number);
  return direction;
}

void Director::add_chaos(Direction& direction, std::uint64_t number) const {
  const auto& chaos = script_.chaos;
  Random random(mix(seed_, number));
  const auto happens = [&random](double rate) { return static_cast<double>(random.uniform()) < rate; };
  const auto some = [&random](std::uint64_t most) { return random.next() % most; };
  if (happens(chaos.failures)) {
    constexpr int statuses[]{429, 500, 503};
    direction.reply = reply::Failure{.status = statuses[some(3)], .message = "chaos"};
    direction.chaos = "failure";
  } else if (happens(chaos.cuts)) {
    direction.fault.cut_after_events = 1 + some(8);
    direction.chaos = "cut";
  } else if (happens(chaos.stalls)) {
    direction.fault.stall_after_events = 1 + some(8);
    direction.chaos = "stall";
  } else if (happens(chaos.slow_starts)) {
    constexpr Duration slow = std::chrono::seconds(1);
    direction.fault.delay = std::min(direction.fault.delay, Duration::max() - slow) + slow;
    direction.chaos = "slow start";
  }
}

}  // namespace inferwire::inline v0_1::engine
