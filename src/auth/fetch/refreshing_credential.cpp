// Credential::refreshing: keeps a grant, and lets one call at a time fetch the next.
#include "auth/fetch/lifetime.hpp"
#include "base/ended_call.hpp"
#include "base/thrown.hpp"
#include "inferwire/credential.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace inferwire::inline v0_1 {

namespace {

using auth::Lifetime;

constexpr auto pause_after_a_failed_renewal = std::chrono::minutes(1);
// The call that renews still has a valid token.
constexpr Duration longest_renewal = std::chrono::seconds(10);
constexpr auto life_of_an_error = std::chrono::seconds(1);

Error source_needs_own_token() {
  return {.kind = ErrorKind::auth,
          .detail = "the source of a token cannot make a call that needs the same token"};
}

/// The state shared by calls. The holder of the lease may use the source without locking.
struct Shared {
  explicit Shared(std::unique_ptr<GrantSource> from) : source(std::move(from)) {}

  const std::unique_ptr<GrantSource> source;

  std::mutex mutex;        // guards the members below
  std::thread::id holder;  // the thread of the call that has the lease; none: nobody has it
  bool asking{false};      // the holder takes the source's next step
  CancelToken over;        // fires when the current lease ends
  std::shared_ptr<Credential> credential;
  std::shared_ptr<Credential> previous;  // calls in progress may have been sent with its token
  Lifetime lifetime{Instant{}, std::nullopt};
  std::uint64_t version{};
  std::optional<Error> error;             // of the last fetch, if it failed
  TimePoint failed_at{TimePoint::min()};  // long ago, if it did not

  /// Under the lock. Returns the credential that is not needed any more, for the caller to destroy without
  /// it.
  std::shared_ptr<Credential> replace(std::shared_ptr<Credential> next) noexcept {
    credential.swap(next);
    if (next) previous.swap(next);
    return next;
  }
};

/// The right to take the source's next step.
class Lease {
 public:
  Lease(std::shared_ptr<Shared> shared, bool renews) : shared_(std::move(shared)), renews_(renews) {}
  ~Lease() {
    {
      const std::lock_guard lock(shared_->mutex);
      shared_->holder = {};
    }
    over_.cancel();
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  CancelToken over() const noexcept { return over_.token(); }
  /// Whether the previous token is still valid.
  bool renews() const noexcept { return renews_; }

 private:
  std::shared_ptr<Shared> shared_;
  bool renews_;
  CancelSource over_;
};

class RefreshingCredential final : public Credential {
 public:
  explicit RefreshingCredential(std::unique_ptr<GrantSource> source)
      : shared_(std::make_shared<Shared>(std::move(source))) {}

  Prepared prepare(HttpRequest& request, Instant now) override {
    std::shared_ptr<const Error> failed_renewal;
    for (;;) {
      auto turn = take_turn(now);
      if (auto* use = std::get_if<Use>(&turn)) return use_of(*use, request, now, std::move(failed_renewal));
      if (auto* wait = std::get_if<Wait>(&turn)) return std::move(*wait);
      if (auto* error = std::get_if<Error>(&turn)) return std::move(*error);
      auto lease = std::get<std::shared_ptr<Lease>>(std::move(turn));
      const auto begun = std::chrono::steady_clock::now();
      auto step = next_step(now);
      if (auto* fetch = std::get_if<Fetch>(&step)) {
        fetch->retry = fetch->retry && !lease->renews();
        return under(std::move(lease), std::move(*fetch));
      }
      if (auto* run = std::get_if<Run>(&step)) return under(std::move(lease), std::move(*run));
      // The source may be a function of the user that waits for something; `now` is from before.
      const auto took = std::chrono::steady_clock::now() - begun;
      auto error = settle(std::move(step), now, now.steady + took);
      if (!error) continue;
      if (!lease->renews()) return *std::move(error);
      failed_renewal = std::make_shared<const Error>(*std::move(error));
    }
  }

  void accept(const ResponseHead& head, std::string_view body, Instant now) override {
    shared_->source->accept(head, body, now);
  }

  void failed(const Error& why, Instant now) override {
    // A call that was abandoned says nothing about the source: the next call takes the same step. But while a
    // token is still valid, the following calls should not also spend their time on it.
    if (is_out_of_time(why)) {
      const std::lock_guard lock(shared_->mutex);
      shared_->error.reset();
      shared_->failed_at = now.steady;
    }
    if (ends_call(why)) return;
    shared_->source->failed(why, now);
  }

  bool refused(std::uint64_t version) override {
    std::shared_ptr<Credential> gone;  // destroyed after the lock is released
    const std::lock_guard lock(shared_->mutex);
    if (shared_->version == version) gone = shared_->replace(nullptr);
    return true;
  }

  void conceal(std::string& text) override {
    std::shared_ptr<Credential> current, previous;
    {
      const std::lock_guard lock(shared_->mutex);
      current = shared_->credential;
      previous = shared_->previous;
    }
    if (current) current->conceal(text);
    if (previous) previous->conceal(text);
  }

 private:
  struct Use {
    std::shared_ptr<Credential> credential;
    std::uint64_t version;
  };

  /// What a call has to do under its lease.
  template <class Errand>
  static Prepared under(std::shared_ptr<Lease> lease, Errand errand) {
    if (lease->renews()) errand.limit = std::min(errand.limit, longest_renewal);
    errand.lease = std::move(lease);
    return errand;
  }

  GrantSource::Step next_step(Instant now) {
    auto step = ask_source(now);
    const std::lock_guard lock(shared_->mutex);
    shared_->asking = false;
    return step;
  }

  /// Treats an exception like an error, so that not every waiting call asks for it again.
  GrantSource::Step ask_source(Instant now) {
    try {
      return shared_->source->next(now);
    } catch (...) {
      return Error{.kind = ErrorKind::auth, .detail = thrown_by("the credential")};
    }
  }

  /// The next action of a call: use the grant, wait, give up, or take the source's next step.
  std::variant<Use, Wait, Error, std::shared_ptr<Lease>> take_turn(Instant now) {
    const std::lock_guard lock(shared_->mutex);
    auto& shared = *shared_;
    const bool serves = shared.credential && !shared.lifetime.is_over(now);
    const bool leased = shared.holder != std::thread::id();
    const bool renews = serves && !leased && shared.lifetime.is_old(now) &&
                        now.steady >= shared.failed_at + pause_after_a_failed_renewal;
    if (serves && !renews) return Use{shared.credential, shared.version};
    const bool is_own = shared.holder == std::this_thread::get_id();
    if (is_own && shared.asking) return source_needs_own_token();
    if (leased) return Wait{.over = shared.over, .on_this_thread = is_own};
    if (!serves && shared.error && now.steady < shared.failed_at + life_of_an_error) return *shared.error;
    auto lease = std::make_shared<Lease>(shared_, renews);
    shared.holder = std::this_thread::get_id();
    shared.asking = true;
    shared.over = lease->over();
    return lease;
  }

  /// Stores a grant, or the error that was returned instead, at `ended`. Returns that error.
  std::optional<Error> settle(GrantSource::Step step, Instant now, TimePoint ended) {
    std::shared_ptr<Credential> gone;  // destroyed after the lock is released
    const std::lock_guard lock(shared_->mutex);
    auto& shared = *shared_;
    if (auto* grant = std::get_if<Grant>(&step)) {
      gone = shared.replace(std::move(grant->credential));
      shared.lifetime = Lifetime(now, grant->expires_at);
      shared.failed_at = TimePoint::min();
      ++shared.version;
      shared.error.reset();
      if (!shared.lifetime.is_over(now)) return std::nullopt;
      step = Error{.kind = ErrorKind::auth, .detail = "the token that was granted has expired already"};
    }
    shared.error = std::get<Error>(std::move(step));
    shared.failed_at = ended;
    return shared.error;
  }

  static Prepared use_of(const Use& use, HttpRequest& request, Instant now,
                         std::shared_ptr<const Error> failed_renewal) {
    auto prepared = use.credential->prepare(request, now);
    if (auto* ready = std::get_if<Ready>(&prepared)) {
      ready->version = use.version;
      ready->failed_renewal = std::move(failed_renewal);
    }
    return prepared;
  }

  std::shared_ptr<Shared> shared_;
};

}  // namespace

std::shared_ptr<Credential> Credential::refreshing(std::unique_ptr<GrantSource> source) {
  return std::make_shared<RefreshingCredential>(std::move(source));
}

}  // namespace inferwire::inline v0_1
