#include "engine/script/faulty.hpp"

#include "base/ascii.hpp"
#include "base/saturating_time.hpp"
#include "engine/answer/answer.hpp"
#include "engine/answer/stream_error.hpp"
#include "engine/document.hpp"
#include "engine/script/director.hpp"
#include "protocol/framing/media_type.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

using protocol::MediaKind;

constexpr std::string_view data_mark = "data: ";

std::string_view event_end_in(Framing framing) noexcept { return framing == Framing::sse ? "\n\n" : "\n"; }

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

class Faulty final : public Generation {
 public:
  Faulty(std::unique_ptr<Generation> answer, const Fault& fault, const CallFrame& frame)
      : answer_(std::move(answer)),
        fault_(fault),
        error_(frame),
        due_(after(frame.start, fault.delay)),
        begun_(fault.delay == Duration::zero()) {
    read_head();
  }

  const ResponseHead& head() const override { return head_; }
  /// Nothing is sent before the end of the delay, not even the head of a stream.
  bool streamed() const override { return begun_ && answer_->streamed(); }

  Step step(TimePoint now) override {
    if (now < due_) return {.kind = Step::Kind::wait, .until = due_};
    if (!std::exchange(begun_, true)) return {.kind = Step::Kind::bytes};
    if (may_write()) return write(now);
    switch (end_) {
      case End::none: return pull(now);
      case End::whole: return {};
      case End::cut: return {.kind = Step::Kind::broken};
      case End::silence: break;
    }
    return {.kind = Step::Kind::wait, .until = TimePoint::max()};
  }

 private:
  enum class End : std::uint8_t { none, whole, cut, silence };

  void read_head() {
    head_ = answer_->head();
    is_stream_ = answer_->streamed();
    const auto kind = protocol::media_kind(find_header(head_.headers, "content-type"));
    if (is_stream_ && kind == MediaKind::event_stream) framing_ = Framing::sse;
    if (is_stream_ && kind == MediaKind::json_lines) framing_ = Framing::json_lines;
    mislabel();
    look_for_end();
  }

  void mislabel() {
    if (fault_.content_type.empty()) return;
    Headers labelled;
    for (const auto& [name, value] : head_.headers) {
      const bool is_type = ascii::equal_ignoring_case(name, "content-type");
      labelled.add(name, is_type ? fault_.content_type : value);
    }
    head_.headers = std::move(labelled);
  }

  bool may_write() const noexcept { return !ready_.empty() && (!fault_.one_write || end_ != End::none); }

  Step write(TimePoint now) {
    if (sent_ == 0 && fault_.byte_order_mark) ready_.insert(0, "\xEF\xBB\xBF");
    auto size = ready_.size() - written_;
    const auto limit_to = [&size](std::uint64_t most) {
      size = static_cast<std::size_t>(std::min<std::uint64_t>(size, most));
    };
    if (fault_.write_bytes > 0) limit_to(fault_.write_bytes);
    if (fault_.cut_after_bytes) limit_to(*fault_.cut_after_bytes - std::min(*fault_.cut_after_bytes, sent_));
    sent_ += size;
    out_.assign(ready_, written_, size);
    written_ += size;
    const bool cut = fault_.cut_after_bytes && sent_ >= *fault_.cut_after_bytes;
    if (cut) end_ = End::cut;
    if (cut || written_ == ready_.size()) {
      ready_.clear();
      written_ = 0;
    }
    if (!ready_.empty() || end_ == End::none) due_ = std::max(due_, after(now, fault_.write_every));
    return {.kind = Step::Kind::bytes, .bytes = out_};
  }

  Step pull(TimePoint now) {
    const auto step = answer_->step(now);
    // Before its first bytes, the answer may have replaced its head, or have become a stream.
    if (!is_stream_ && sent_ == 0) read_head();
    switch (step.kind) {
      case Step::Kind::wait: return step;
      case Step::Kind::broken: end_ = End::cut; break;
      case Step::Kind::done:
        ready_ += framing_ ? rest_ : edit(rest_);
        rest_.clear();
        end_ = End::whole;
        break;
      case Step::Kind::bytes: take(step.bytes); break;
    }
    return {.kind = Step::Kind::bytes};
  }

  void take(std::string_view bytes) {
    rest_ += bytes;
    if (!framing_) {
      const bool edits_whole = !is_stream_ && edits();
      if (!edits_whole) ready_ += std::exchange(rest_, {});
      return;
    }
    const auto event_end = event_end_in(*framing_);
    std::size_t begin = 0;
    for (std::size_t end; end_ == End::none && (end = rest_.find(event_end, begin)) != rest_.npos;
         begin = end) {
      end += event_end.size();
      put(rest_.substr(begin, end - begin), *framing_);
    }
    rest_.erase(0, begin);
  }

  void put(const std::string& event, Framing framing) {
    const bool sse = framing == Framing::sse;
    const std::string event_end(event_end_in(framing));
    const auto at = sse ? event.find(data_mark) : 0;
    if (at == event.npos) return write_event(event);
    const auto begin = at + (sse ? data_mark.size() : 0);
    const auto data = event.substr(begin, event.size() - begin - event_end.size());
    auto before = event.substr(0, begin);
    if (sse && fault_.no_space) before.pop_back();
    if (data == "[DONE]") {
      if (!fault_.no_end_mark) write_event(before + data + event_end);
      return;
    }
    const auto edited = before + edit(data) + event_end;
    if (events_ == 0 && fault_.empty_choices) write_event(before + without_choices(data) + event_end);
    if (fault_.comments && sse) write_event(": ping\n\n");
    write_event(edited);
    if (fault_.repeat_events) write_event(edited);
    ++events_;
    error_.follow(event);
    look_for_end();
  }

  void write_event(std::string event) {
    if (fault_.crlf) replace_all(event, "\n", "\r\n");
    ready_ += event;
  }

  bool edits() const noexcept { return fault_.no_finish_reason || fault_.no_usage; }

  std::string edit(const std::string& data) const {
    if (!edits()) return data;
    auto document = ordered_json_of(data);
    if (!document.is_object()) return data;
    if (fault_.no_usage) {
      document.erase("usage");
      const auto response = document.find("response");  // events of the Responses API have it inside
      if (response != document.end() && response->is_object()) response->erase("usage");
    }
    if (fault_.no_finish_reason && document.contains("choices")) {
      for (auto& choice : document["choices"]) {
        if (choice.is_object()) choice["finish_reason"] = nullptr;
      }
    }
    return print(document);
  }

  static std::string without_choices(const std::string& data) {
    auto document = ordered_json_of(data);
    if (!document.is_object()) return data;
    document["choices"] = OrderedJson::array();
    return print(document);
  }

  /// Ends the answer once as many events have been sent as the fault lets through.
  void look_for_end() {
    if (!framing_) return;
    if (fault_.error_after_events == events_) {
      std::string event;
      error_.append(event, *framing_, refuse::failed("a fault of its script"));
      write_event(std::move(event));
      end_ = End::whole;
    } else if (fault_.cut_after_events == events_) {
      end_ = End::cut;
    } else if (fault_.stall_after_events == events_) {
      end_ = End::silence;
    }
  }

  std::unique_ptr<Generation> answer_;
  const Fault fault_;
  StreamError error_;
  TimePoint due_;
  bool begun_;
  bool is_stream_{};
  ResponseHead head_;
  std::optional<Framing> framing_;  // absent: there are no events
  std::string rest_;                // of an event that has not ended, or of a document that is edited
  std::string ready_;               // to be written
  std::size_t written_{};           // how much of `ready_` has been
  std::string out_;                 // being written
  std::uint64_t events_{};
  std::uint64_t sent_{};
  End end_{End::none};
};

}  // namespace

std::unique_ptr<Generation> with_scripted_fault(std::unique_ptr<Generation> answer, const CallFrame& frame) {
  if (!frame.direction || frame.direction->fault == Fault()) return answer;
  return std::make_unique<Faulty>(std::move(answer), frame.direction->fault, frame);
}

std::unique_ptr<Generation> with_scripted_delay(std::unique_ptr<Generation> answer, const CallFrame& frame) {
  if (!frame.direction || frame.direction->fault.delay == Duration()) return answer;
  return std::make_unique<Faulty>(std::move(answer), Fault{.delay = frame.direction->fault.delay}, frame);
}

}  // namespace inferwire::inline v0_1::engine
