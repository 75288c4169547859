#include "inferwire/log.hpp"

#include <cstdio>

namespace inferwire::inline v0_1 {

Log::~Log() = default;

LogLevel Log::level() const noexcept { return LogLevel::warning; }

namespace {

constexpr const char* name(LogLevel level) noexcept {
  switch (level) {
    case LogLevel::debug: return "debug";
    case LogLevel::info: return "info";
    case LogLevel::warning: return "warning";
    case LogLevel::error: break;
  }
  return "error";
}

class StandardError final : public Log {
 public:
  explicit StandardError(LogLevel least) : least_(least) {}

  void write(LogLevel level, std::string_view text) noexcept override {
    if (level < least_) return;
    // In one piece, so that lines of several threads do not mix.
    std::fprintf(stderr, "inferwire %s: %.*s\n", name(level), static_cast<int>(text.size()), text.data());
  }
  LogLevel level() const noexcept override { return least_; }

 private:
  LogLevel least_;
};

}  // namespace

std::shared_ptr<Log> Log::standard_error(LogLevel least) { return std::make_shared<StandardError>(least); }

}  // namespace inferwire::inline v0_1
