/// \file
/// Queries a Service without a transport. Time jumps to the moment that the answer waits for; one that waits
/// forever ends there.
#pragma once

#include "inferwire/engine/service.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire_test {

struct Answered {
  inferwire::ResponseHead head{};
  bool streamed{};
  std::string body{};
  bool broken{};
  std::chrono::milliseconds waited{};

  /// The data of a stream's events.
  std::vector<std::string> events() const {
    std::vector<std::string> out;
    constexpr std::string_view mark = "data: ";
    for (std::size_t at = 0; (at = body.find(mark, at)) != body.npos;) {
      const auto end = body.find("\n\n", at);
      out.push_back(body.substr(at + mark.size(), end - at - mark.size()));
      at = end;
    }
    return out;
  }
};

inline Answered ask(inferwire::engine::Service& service, const inferwire::HttpRequest& request) {
  using Kind = inferwire::engine::Step::Kind;
  const inferwire::TimePoint start{std::chrono::hours(1)};
  auto now = start;
  auto generation = service.start(request, now);
  Answered answer{.head = generation->head()};
  for (;;) {
    if (!std::exchange(answer.streamed, generation->streamed())) answer.head = generation->head();
    const auto step = generation->step(now);
    answer.body += step.bytes;
    if (step.kind == Kind::wait) now = step.until;
    if (step.kind == Kind::done || step.kind == Kind::broken || now == inferwire::TimePoint::max()) {
      answer.broken = step.kind == Kind::broken;
      break;
    }
  }
  if (!answer.streamed) answer.head = generation->head();  // it may have become an error's head
  answer.waited = std::chrono::duration_cast<std::chrono::milliseconds>(now - start);
  return answer;
}

inline Answered ask(inferwire::engine::Service& service, std::string_view path, std::string body) {
  return ask(service, {.url = "http://engine" + std::string(path),
                       .headers = {{"content-type", "application/json; charset=utf-8"}},
                       .body = std::move(body)});
}

inline nlohmann::json parsed(const Answered& answer) { return nlohmann::json::parse(answer.body); }

/// The body of an answer that has to be a good one.
inline nlohmann::json good(const Answered& answer) {
  INFO(answer.body);
  REQUIRE(answer.head.status == 200);
  return parsed(answer);
}

/// The events of a stream that ends with [DONE].
inline std::vector<nlohmann::json> chunks_of(const Answered& answer) {
  std::vector<nlohmann::json> chunks;
  for (const auto& event : answer.events()) {
    if (event != "[DONE]") chunks.push_back(nlohmann::json::parse(event));
  }
  return chunks;
}

/// The text of a choice of a streamed chat.
inline std::string streamed_text(const Answered& answer, int choice = 0) {
  std::string text;
  for (const auto& chunk : chunks_of(answer)) {
    for (const auto& part : chunk["choices"]) {
      if (part["index"] == choice) text += part["delta"].value("content", "");
    }
  }
  return text;
}

}  // namespace inferwire_test
