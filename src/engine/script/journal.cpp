#include "inferwire/engine/journal.hpp"

#include "engine/script/journal_writer.hpp"
#include "protocol/headers.hpp"
#include "protocol/redact.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

constexpr std::size_t longest_body = 64 * 1024;
// A longer wait could overflow the clock.
constexpr Duration longest_journal_wait = std::chrono::hours(24 * 365);

}  // namespace

Journal::Journal(std::size_t capacity) : state_(std::make_shared<State>(capacity)) {}

std::vector<JournalEntry> Journal::entries() const {
  const std::lock_guard lock(state_->mutex);
  std::vector<JournalEntry> out;
  for (const auto& entry : state_->entries) out.push_back(*entry);
  return out;
}

Optional<JournalEntry> Journal::last() const {
  const std::lock_guard lock(state_->mutex);
  return state_->entries.empty() ? std::nullopt : std::optional(*state_->entries.back());
}

std::vector<JournalEntry> Journal::unmatched() const {
  auto all = entries();
  std::erase_if(all, [](const JournalEntry& entry) { return !entry.rule.empty(); });
  return all;
}

bool Journal::wait_for(std::size_t count, Duration limit) const {
  std::unique_lock lock(state_->mutex);
  return state_->ended_one.wait_for(lock, std::clamp(limit, Duration::zero(), longest_journal_wait),
                                    [&] { return state_->ended >= count; });
}

void Journal::clear() {
  const std::lock_guard lock(state_->mutex);
  state_->entries.clear();
  state_->ended = 0;
}

/// Records the course of an answer while it is stepped.
class JournalWriter::Followed final : public Generation {
 public:
  Followed(std::shared_ptr<Journal::State> journal, std::shared_ptr<JournalEntry> entry,
           std::unique_ptr<Generation> answer)
      : journal_(std::move(journal)), entry_(std::move(entry)), answer_(std::move(answer)) {}
  ~Followed() override { end(Outcome::abandoned); }

  const ResponseHead& head() const override { return answer_->head(); }
  bool streamed() const override { return answer_->streamed(); }
  Step step(TimePoint now) override {
    const auto step = answer_->step(now);
    switch (step.kind) {
      case Step::Kind::bytes: note(step.bytes.size()); break;
      case Step::Kind::wait: break;
      case Step::Kind::done: end(Outcome::whole); break;
      case Step::Kind::broken: end(Outcome::broken); break;
    }
    return step;
  }

 private:
  void note(std::size_t bytes) {
    if (bytes == 0) return;
    const std::lock_guard lock(journal_->mutex);
    entry_->status = head().status;
    entry_->bytes += bytes;
    ++entry_->pieces;
  }

  void end(Outcome outcome) {
    {
      const std::lock_guard lock(journal_->mutex);
      if (entry_->outcome != Outcome::running) return;
      entry_->status = head().status;
      entry_->outcome = outcome;
      ++journal_->ended;
    }
    journal_->ended_one.notify_all();
  }

  std::shared_ptr<Journal::State> journal_;
  std::shared_ptr<JournalEntry> entry_;
  std::unique_ptr<Generation> answer_;
};

std::unique_ptr<Generation> JournalWriter::follow(const Journal& journal, JournalEntry entry,
                                                  std::unique_ptr<Generation> answer) {
  if (!is_on(journal)) return answer;
  entry.status = answer->head().status;
  auto shared = std::make_shared<JournalEntry>(std::move(entry));
  auto& state = *journal.state_;
  {
    const std::lock_guard lock(state.mutex);
    if (state.entries.size() == state.capacity) state.entries.pop_front();
    state.entries.push_back(shared);
  }
  return std::make_unique<Followed>(journal.state_, std::move(shared), std::move(answer));
}

JournalEntry JournalWriter::entry_of(const HttpRequest& request, std::uint64_t number) {
  JournalEntry entry{.number = number,
                     .method = request.method,
                     .url = request.url,
                     .headers = request.headers,
                     .body = request.body.text().substr(0, longest_body)};
  for (auto& header : entry.headers) {
    if (protocol::is_secret_header(header.name)) header.value = protocol::concealed;
  }
  return entry;
}

}  // namespace inferwire::inline v0_1::engine
