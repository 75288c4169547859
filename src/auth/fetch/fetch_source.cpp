#include "auth/fetch/fetch_source.hpp"

#include <utility>

#include "auth/fetch/fetch_url.hpp"
#include "protocol/redact.hpp"

namespace inferwire::inline v0_1::auth {

GrantSource::Step FetchSource::next(Instant now) {
  if (!outcome_) {
    auto next = request(now);
    const auto checked = next ? check_fetch_url(next->request.url) : Result<void>();
    if (next && checked) return *std::move(next);
    outcome_ = next ? checked.error() : std::move(next).error();
  }
  auto outcome = *std::exchange(outcome_, std::nullopt);
  if (!outcome) {
    protocol::conceal(outcome.error().detail, secret().reveal());
    protocol::conceal(outcome.error().code, secret().reveal());
  }
  restart();
  if (!outcome) return std::move(outcome).error();
  return *std::move(outcome);
}

void FetchSource::accept(const ResponseHead& head, std::string_view body, Instant now) {
  outcome_ = read(head, body, now);
}

void FetchSource::failed(const Error& why, Instant) { outcome_ = lost(why); }

FetchSource::Outcome FetchSource::lost(const Error& why) {
  auto error = why;
  error.detail.insert(0, "no token could be fetched: ");
  return error;
}

}  // namespace inferwire::inline v0_1::auth
