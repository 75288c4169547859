#include "inferwire/log.hpp"

#include "support/captured_stderr.hpp"
#include "support/catch.hpp"

#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using namespace inferwire;
using namespace inferwire_test;

TEST_CASE("Log::standard_error writes a line for each message from its level on") {
  struct Row {
    LogLevel least;
    const char* written;
  };
  const Row rows[] = {
      {LogLevel::debug, "inferwire debug: a\ninferwire info: b\ninferwire warning: c\ninferwire error: d\n"},
      {LogLevel::info, "inferwire info: b\ninferwire warning: c\ninferwire error: d\n"},
      {LogLevel::warning, "inferwire warning: c\ninferwire error: d\n"},
      {LogLevel::error, "inferwire error: d\n"}};
  for (const auto& [least, written] : rows) {
    CapturedStderr captured;
    const auto log = Log::standard_error(least);
    log->write(LogLevel::debug, "a");
    log->write(LogLevel::info, "b");
    log->write(LogLevel::warning, "c");
    log->write(LogLevel::error, "d");
    CHECK(captured.take() == written);
    CHECK(log->level() == least);
  }
}

TEST_CASE("a LogLevel goes into an ostream by its name") {
  std::ostringstream out;
  out << LogLevel::warning << ' ' << LogLevel::error;
  CHECK(out.str() == "warning error");
}

TEST_CASE("Log::of calls a function for each message from its level on") {
  std::string heard;
  const auto write = [&heard](LogLevel, std::string_view text) { heard += text; };
  for (const auto& log : {Log::of(write), Log::of(write, LogLevel::error)}) {
    log->write(LogLevel::info, "a");
    log->write(LogLevel::warning, "b");
    log->write(LogLevel::error, "c");
  }
  CHECK(heard == "bcc");
  CHECK(Log::of(write)->level() == LogLevel::warning);
}

TEST_CASE("lines that several threads write to standard error do not mix") {
  constexpr int threads_count = 8;
  constexpr int lines_each = 200;
  CapturedStderr captured;
  const auto log = Log::standard_error(LogLevel::info);
  std::vector<std::thread> threads;
  std::multiset<std::string> expected;
  for (int thread = 0; thread < threads_count; ++thread) {
    const std::string text(static_cast<std::size_t>(50 + thread), static_cast<char>('a' + thread));
    for (int i = 0; i < lines_each; ++i) expected.insert("inferwire info: " + text);
    threads.emplace_back([&log, text] {
      for (int i = 0; i < lines_each; ++i) log->write(LogLevel::info, text);
    });
  }
  for (auto& thread : threads) thread.join();
  std::istringstream lines(captured.take());
  std::multiset<std::string> written;
  for (std::string line; std::getline(lines, line);) written.insert(line);
  CHECK(written == expected);
}
