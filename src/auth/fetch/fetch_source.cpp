#include "auth/fetch/fetch_source.hpp"

#include "auth/fetch/fetch_url.hpp"
#include "base/percent.hpp"
#include "protocol/headers.hpp"
#include "protocol/redact.hpp"
#include "protocol/retry_after.hpp"

#include <utility>

namespace inferwire::inline v0_1::auth {

GrantSource::Step FetchSource::next(Instant now) {
  if (!outcome_) {
    auto next = request(now);
    const auto checked = next ? check_fetch_url(next->request.url) : Result<void>();
    if (next && checked) {
      sent_ = next->request.headers;
      return *std::move(next);
    }
    outcome_ = next ? checked.error() : std::move(next).error();
  }
  auto outcome = *std::exchange(outcome_, std::nullopt);
  if (!outcome) {
    conceal(outcome.error().detail);
    conceal(outcome.error().code);
  }
  sent_.clear();
  restart();
  if (!outcome) return std::move(outcome).error();
  return *std::move(outcome);
}

void FetchSource::accept(const ResponseHead& head, std::string_view body, Instant now) {
  outcome_ = read(head, body, now);
  if (outcome_ && !*outcome_) outcome_->error().retry_after = protocol::retry_after(head.headers, now.wall);
}

void FetchSource::failed(const Error& why, Instant) {
  auto shown = why;
  // A path may be as secret as a key: that of a metadata service, or of a container's credentials.
  shown.url = protocol::shown_origin(why.url);
  outcome_ = lost(shown);
}

void FetchSource::conceal(std::string& text) const {
  for (const auto& [name, value] : sent_) {
    if (protocol::is_secret_header(name)) protocol::conceal_value(text, value);
  }
  protocol::conceal(text, secret());
  protocol::conceal(text, percent_encode_segment(secret()));  // in the form encoding
}

FetchSource::Outcome FetchSource::lost(const Error& why) {
  auto error = why;
  error.detail.insert(0, "no token could be fetched: ");
  return error;
}

}  // namespace inferwire::inline v0_1::auth
