#include "testing/connection_journal.hpp"

namespace inferwire::inline v0_1::testing {

using Kind = JournalEntry::Kind;

std::size_t ConnectionJournal::note_connected() {
  std::size_t number{};
  {
    const std::lock_guard lock(mutex_);
    number = accepted_++;
    entries_.push_back({.kind = Kind::connected, .connection = number, .at = TimePoint::clock::now()});
  }
  changed_.notify_all();
  return number;
}

void ConnectionJournal::note(Kind kind, const Connection& connection, std::string what) {
  {
    const std::lock_guard lock(mutex_);
    auto& entry = entries_.emplace_back(
        JournalEntry{.kind = kind, .connection = connection.number(), .at = TimePoint::clock::now()});
    if (kind == Kind::request) {
      latest_[entry.connection] = requests_++;
      entry.resumed = connection.resumed();
    }
    const bool of_request = kind == Kind::request || kind == Kind::handler_threw || kind == Kind::answered;
    if (of_request) entry.request = latest_[entry.connection];
    entry.what = std::move(what);
  }
  changed_.notify_all();
}

void ConnectionJournal::note_end(const Connection& connection) {
  const bool by_client = connection.end() != Connection::End::by_script;
  note(connection.end() == Connection::End::handshake ? Kind::handshake_failed
       : by_client                                    ? Kind::closed_by_client
                                                      : Kind::closed,
       connection);
  {
    const std::lock_guard lock(mutex_);
    ++closed_;
    if (by_client) ++closed_by_client_;
    latest_.erase(connection.number());
  }
  changed_.notify_all();
}

void ConnectionJournal::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

std::vector<JournalEntry> ConnectionJournal::entries() const {
  const std::lock_guard lock(mutex_);
  return entries_;
}

std::size_t ConnectionJournal::accepted() const {
  const std::lock_guard lock(mutex_);
  return accepted_;
}

std::size_t ConnectionJournal::closed_by_client() const {
  const std::lock_guard lock(mutex_);
  return closed_by_client_;
}

std::size_t ConnectionJournal::open() const {
  const std::lock_guard lock(mutex_);
  return accepted_ - closed_;
}

bool ConnectionJournal::wait_for_requests(std::size_t count, std::chrono::milliseconds limit) const {
  return wait_for(limit, [&] { return requests_ >= count; });
}

bool ConnectionJournal::wait_for_close(std::size_t count, std::chrono::milliseconds limit) const {
  return wait_for(limit, [&] { return closed_by_client_ >= count; });
}

bool ConnectionJournal::wait_until_all_closed(std::chrono::milliseconds limit) const {
  return wait_for(limit, [&] { return closed_ == accepted_; });
}

}  // namespace inferwire::inline v0_1::testing
