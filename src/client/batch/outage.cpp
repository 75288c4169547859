#include "client/batch/outage.hpp"

#include "base/timers.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::client {

bool is_as_in_outage(const Error& error, bool alike) noexcept {
  switch (error.kind) {
    case ErrorKind::connection:
    case ErrorKind::tls: return true;
    case ErrorKind::overloaded:
    case ErrorKind::server: return alike;
    case ErrorKind::timeout: return error.timer == timers::connect;
    default: return false;
  }
}

void OutageWatch::on_failure(Suspect failed) {
  last_begun_ = failed.begun;
  if (failed.first_failed >= answered_begun_) ++in_a_row_;
  suspects_.push_back(std::move(failed));
  is_outage_ = in_a_row_ >= several || is_outage_;
}

std::deque<OutageWatch::Suspect> OutageWatch::on_answer(std::size_t number, TimePoint begun) {
  in_a_row_ = 0;
  answered_begun_ = std::max(answered_begun_, begun);
  std::deque<Suspect> decided;
  for (; !suspects_.empty() && suspects_.front().begun <= number; suspects_.pop_front()) {
    decided.push_back(std::move(suspects_.front()));
    decided.back().in_outage = is_outage_;
  }
  if (number >= last_begun_) is_outage_ = false;
  return decided;
}

std::deque<OutageWatch::Suspect> OutageWatch::take_all() {
  auto all = std::exchange(suspects_, {});
  for (auto& suspect : all) suspect.in_outage = is_outage_;
  return all;
}

}  // namespace inferwire::inline v0_1::client
