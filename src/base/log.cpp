#include "inferwire/log.hpp"

#include <cstdio>

namespace inferwire::inline v0_1 {

std::string_view name(LogLevel level) noexcept {
  switch (level) {
    case LogLevel::debug: return "debug";
    case LogLevel::info: return "info";
    case LogLevel::warning: return "warning";
    case LogLevel::error: return "error";
  }
  return "unknown";
}

Log::~Log() = default;

LogLevel Log::level() const noexcept { return LogLevel::warning; }

namespace {

class StandardError final : public Log {
 public:
  explicit StandardError(LogLevel least) : least_(least) {}

  void write(LogLevel level, std::string_view text) noexcept override {
    if (level < least_) return;
    // In a single call, so that lines of several threads do not mix.
    const auto word = name(level);
    std::fprintf(stderr, "inferwire %.*s: %.*s\n", static_cast<int>(word.size()), word.data(),
                 static_cast<int>(text.size()), text.data());
  }
  LogLevel level() const noexcept override { return least_; }

 private:
  LogLevel least_;
};

}  // namespace

std::shared_ptr<Log> Log::standard_error(LogLevel least) { return std::make_shared<StandardError>(least); }

}  // namespace inferwire::inline v0_1
