#include "base/ascii.hpp"
#include "engine/answer/answer.hpp"
#include "engine/cassette/mask.hpp"
#include "engine/cassette/recording.hpp"
#include "inferwire/engine/cassette.hpp"
#include "protocol/framing/media_type.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;
/// Longer than any client waits, without overflowing the clock.
constexpr Milliseconds longest_recording = std::chrono::hours(10 * 365 * 24);

using SharedRecording = std::shared_ptr<const Recording>;

class Played final : public Generation {
 public:
  Played(SharedRecording recording, double speed, TimePoint start)
      : recording_(std::move(recording)), speed_(speed), start_(start) {
    head_.status = recording_->status;
    if (may_be_cut()) head_.http_version = recording_->http_version;
    for (const auto& header : recording_->answer_headers) {
      if (!is_of_the_connection(header.name)) head_.headers.add(header.name, header.value);
    }
  }

  const ResponseHead& head() const override { return head_; }
  bool streamed() const override {
    return protocol::is_stream(protocol::media_kind(find_header(head_.headers, "content-type")));
  }
  Step step(TimePoint now) override {
    if (at_ == recording_->chunks.size()) {
      return {.kind = recording_->broken ? Step::Kind::broken : Step::Kind::done};
    }
    const auto& chunk = recording_->chunks[at_];
    if (const auto due = time_of(chunk); now < due) return {.kind = Step::Kind::wait, .until = due};
    ++at_;
    return {.kind = Step::Kind::bytes, .bytes = chunk.bytes};
  }

 private:
  /// Whether the answer told no length, so that it may have been cut, which a client has to know. All others
  /// are played without a version, as in process: they count as complete, although their length is not
  /// played.
  bool may_be_cut() const { return !find_header(recording_->answer_headers, "content-length"); }

  TimePoint time_of(const RecordedChunk& chunk) const {
    if (speed_ <= 0) return start_;
    const Milliseconds after(static_cast<double>(chunk.after_ms) / speed_);
    return start_ + std::chrono::duration_cast<TimePoint::duration>(std::min(after, longest_recording));
  }

  SharedRecording recording_;
  double speed_;
  TimePoint start_;
  ResponseHead head_;
  std::size_t at_{};
};

}  // namespace

struct INFERWIRE_PRIVATE CassettePlayer::State {
  struct Takes {
    std::vector<SharedRecording> all;
    std::atomic<std::size_t> next{};  ///< all else stays as it was opened
  };

  PlayerOptions options;
  std::map<std::string, Takes, std::less<>> takes;

  /// Finds the place in which the most similar recording differs from an unknown request; empty: there is
  /// none for its method and target, or they have nothing in common.
  std::string difference_to(const HttpRequest& request, const std::string& target) const;
};

std::string CassettePlayer::State::difference_to(const HttpRequest& request,
                                                 const std::string& target) const {
  Difference least{.changes = std::numeric_limits<std::size_t>::max()};
  for (const auto& [key, one] : takes) {
    const auto& recording = *one.all.front();
    if (recording.method != request.method || shown_target(recording.target) != target) continue;
    auto difference = difference_of(request.body, recording.body, options.ignore);
    if (!difference.place.empty() && difference.changes < least.changes) least = std::move(difference);
  }
  return least.place;
}

CassettePlayer::CassettePlayer(std::unique_ptr<State> state) : state_(std::move(state)) {}
CassettePlayer::~CassettePlayer() = default;

Result<std::shared_ptr<CassettePlayer>> CassettePlayer::open(const std::string& path, PlayerOptions options) {
  const auto refuse = [](std::string why) {
    return Error{.kind = ErrorKind::config, .detail = std::move(why)};
  };
  if (!std::isfinite(options.speed) || options.speed < 0)
    return refuse("the speed of a player is not negative");
  for (const auto& pointer : options.ignore) {
    if (!is_pointer(pointer)) return refuse("what a player ignores are JSON pointers, such as \"/user\"");
  }
  const auto unreadable = [&] { return refuse("the cassette cannot be read: " + path); };
  std::ifstream file(path, std::ios::binary);
  if (!file) return unreadable();

  auto state = std::make_unique<State>();
  state->options = std::move(options);
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    auto recording = from_line(line);
    if (!recording) {
      const auto* const what = state->takes.empty() ? " is no cassette: line " : " is damaged: line ";
      return Error{.kind = ErrorKind::decode,
                   .detail = path + what + std::to_string(number) + ": " + recording.error().detail};
    }
    auto key = key_of(recording->method, recording->target, recording->body, state->options.ignore);
    state->takes[std::move(key)].all.push_back(std::make_shared<const Recording>(*std::move(recording)));
  }
  if (file.bad()) return unreadable();  // a directory can also be opened
  return std::shared_ptr<CassettePlayer>(new CassettePlayer(std::move(state)));
}

std::unique_ptr<Generation> CassettePlayer::start(const HttpRequest& request, TimePoint now) {
  if (request.body.size() > max_request_bytes()) {
    return refusal_answer(openai_dialect, refuse::too_large(max_request_bytes()), "cassette");
  }
  const auto target = target_of(request.url);
  const auto key = key_of(request.method, target, request.body, state_->options.ignore);
  const auto found = state_->takes.find(key);
  if (found == state_->takes.end()) {
    const auto shown = shown_target(target);
    return refusal_answer(openai_dialect,
                          refuse::unrecorded(request.method, shown, state_->difference_to(request, shown)),
                          "cassette");
  }
  auto& [all, next] = found->second;
  const auto& recording = all[std::min(next++, all.size() - 1)];
  return std::make_unique<Played>(recording, state_->options.speed, now);
}

}  // namespace inferwire::inline v0_1::engine
