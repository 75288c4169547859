#include "engine/handlers/kept_responses.hpp"

#include "base/decimal.hpp"
#include "engine/answer/answer.hpp"
#include "engine/document.hpp"
#include "engine/plan/response_input.hpp"
#include "engine/router.hpp"
#include "wire/documents.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

template <class T>
OrRefusal<std::string> encoded(const T& document) {
  auto text = json::encode(document);
  if (!text) return refuse::failed("its answer cannot be written");
  return *std::move(text);
}

/// Sends events as they become available.
class Events final : public Generation {
 public:
  Events(std::shared_ptr<BackgroundResponse> response, std::size_t next, std::string request_id)
      : response_(std::move(response)),
        next_(next),
        head_(make_head(200, "text/event-stream", std::move(request_id))) {}

  const ResponseHead& head() const override { return head_; }
  bool streamed() const override { return true; }
  Step step(TimePoint now) override { return response_->read(next_, out_, now); }

 private:
  std::shared_ptr<BackgroundResponse> response_;
  std::size_t next_;
  ResponseHead head_;
  std::string out_;
};

/// Does the work that is due on a response, and then becomes an answer.
class AfterWork final : public Generation {
 public:
  AfterWork(std::shared_ptr<BackgroundResponse> response, BeginAnswer begin, CallFrame frame)
      : response_(std::move(response)),
        begin_(std::move(begin)),
        frame_(std::move(frame)),
        head_(make_head(200, "application/json", frame_.request_id)) {}

  const ResponseHead& head() const override { return answer_ ? answer_->head() : head_; }
  bool streamed() const override { return answer_ && answer_->streamed(); }
  Step step(TimePoint now) override {
    if (answer_) return answer_->step(now);
    if (response_->work(now).kind != Step::Kind::bytes) begin();
    return {.kind = Step::Kind::bytes};
  }

 private:
  void begin() {
    auto answer = begin_(frame_);
    answer_ =
        answer ? *std::move(answer) : refusal_answer(frame_.dialect, answer.refusal(), frame_.request_id);
  }

  std::shared_ptr<BackgroundResponse> response_;
  BeginAnswer begin_;
  CallFrame frame_;
  ResponseHead head_;
  std::unique_ptr<Generation> answer_;  // absent as long as work is due
};

/// The number of the first event requested.
OrRefusal<std::size_t> first_event(std::string_view url) {
  const auto after = query_value(url, "starting_after");
  if (!after) return std::size_t{0};
  const auto number = parse_integer<std::uint64_t>(*after);
  if (!number) return refuse::invalid_value("starting_after", "expected an integer, 0 or above");
  constexpr std::uint64_t most = std::numeric_limits<std::size_t>::max() - 1;
  return static_cast<std::size_t>(std::min(*number, most)) + 1;
}

/// A page of a list.
struct Page {
  std::size_t limit{20};
  bool ascending{};
  std::optional<std::string> after{};
};

OrRefusal<Page> page_of(std::string_view url) {
  Page page{.after = query_value(url, "after")};
  if (const auto limit = query_value(url, "limit")) {
    page.limit = parse_integer<std::size_t>(*limit).value_or(0);
    if (page.limit < 1 || page.limit > 100) {
      return refuse::invalid_value("limit", "expected an integer in [1, 100]");
    }
  }
  if (const auto order = query_value(url, "order")) {
    if (order != "asc" && order != "desc") {
      return refuse::invalid_value("order", "expected one of 'asc', 'desc'");
    }
    page.ascending = order == "asc";
  }
  return page;
}

}  // namespace

std::unique_ptr<Generation> stream_events(std::shared_ptr<BackgroundResponse> response, std::size_t next,
                                          std::string request_id) {
  return std::make_unique<Events>(std::move(response), next, std::move(request_id));
}

std::unique_ptr<Generation> after_work(std::shared_ptr<BackgroundResponse> response, BeginAnswer begin,
                                       CallFrame frame) {
  return std::make_unique<AfterWork>(std::move(response), std::move(begin), std::move(frame));
}

Answer retrieve_response(const KeptResponses& kept, std::string_view id, std::string_view url,
                         const CallFrame& frame) {
  const auto found = kept.find(id);
  if (!found) return refuse::no_response(id);
  if (query_value(url, "stream") != "true") {
    const auto begin = [found](const CallFrame& call) -> Answer {
      auto body = encoded(found->as_it_stands());
      if (!body) return std::move(body).refusal();
      return json_answer(*std::move(body), call.request_id);
    };
    return found->background ? after_work(found->background, begin, frame) : begin(frame);
  }
  if (!found->background) return refuse::no_stream("background");
  if (!found->background->streams()) return refuse::no_stream("stream");
  auto next = first_event(url);
  if (!next) return std::move(next).refusal();
  return stream_events(found->background, *next, frame.request_id);
}

OrRefusal<std::string> cancel_response(const KeptResponses& kept, std::string_view id) {
  const auto found = kept.find(id);
  if (!found) return refuse::no_response(id);
  if (!found->background) return refuse::no_cancellation();
  return encoded(found->background->cancel());
}

OrRefusal<std::string> list_input_items(const KeptResponses& kept, std::string_view id,
                                        std::string_view url) {
  const auto found = kept.find(id);
  if (!found) return refuse::no_response(id);
  auto asked = page_of(url);
  if (!asked) return std::move(asked).refusal();
  const auto& page = *asked;

  std::vector<const responses::Item*> items;
  for (const auto& item : found->input) items.push_back(&item);
  if (!page.ascending) std::ranges::reverse(items);
  auto begin = items.begin();
  if (page.after) {
    begin = std::ranges::find_if(items, [&](const auto* item) { return id_of(*item) == *page.after; });
    if (begin == items.end()) return refuse::invalid_value("after", "there is no item of this id");
    ++begin;
  }
  const auto left = static_cast<std::size_t>(items.end() - begin);
  const auto end = begin + static_cast<std::ptrdiff_t>(std::min(left, page.limit));

  responses::List list{.object = "list", .has_more = end != items.end()};
  for (auto item = begin; item != end; ++item) list.data.push_back(**item);
  if (begin != end) {
    list.first_id = id_of(list.data.front());
    list.last_id = id_of(list.data.back());
  }
  return encoded(list);
}

OrRefusal<std::string> delete_response(KeptResponses& kept, std::string_view id) {
  if (!kept.remove(id)) return refuse::no_response(id);
  return print({{"id", id}, {"object", "response"}, {"deleted", true}});
}

}  // namespace inferwire::inline v0_1::engine
