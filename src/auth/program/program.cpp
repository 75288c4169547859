#include "auth/program/program.hpp"

#include "base/ended_call.hpp"

#if defined(__unix__) || defined(__APPLE__)

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <optional>
#include <utility>

extern char** environ;

namespace inferwire::inline v0_1::auth {

namespace {

constexpr std::size_t most_bytes = 1u << 20;

/// A pipe that no other program inherits.
class Pipe {
 public:
  Pipe() {
#if defined(__APPLE__)  // older ones have no pipe2
    if (::pipe(ends_.data()) != 0) ends_ = {-1, -1};
    for (const int end : ends_) ::fcntl(end, F_SETFD, FD_CLOEXEC);
#else
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
#endif
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reader() const noexcept { return ends_[0]; }
  int writer() const noexcept { return ends_[1]; }
  void close_writer() noexcept { close_end(1); }

 private:
  void close_end(std::size_t end) noexcept {
    if (ends_[end] >= 0) ::close(std::exchange(ends_[end], -1));
  }

  std::array<int, 2> ends_{-1, -1};
};

/// A started program; it is killed at the latest when this object is destroyed.
class Child {
 public:
  explicit Child(pid_t id) noexcept : id_(id) {}
  ~Child() {
    if (id_ <= 0 || exit_status()) return;
    ::kill(id_, SIGKILL);
    while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {}
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Its exit status; nothing while it runs. If the rest of the process waits for all children, or ignores
  /// them, the status cannot be determined and is 0.
  std::optional<int> exit_status() noexcept {
    int status = 0;
    const auto ended = ::waitpid(id_, &status, WNOHANG);
    if (ended != id_ && (ended >= 0 || errno != ECHILD)) return std::nullopt;
    id_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t id_;
};

Error cannot_run(const std::string& program, int code) {
  return {.kind = ErrorKind::config,
          .detail = "the program " + program + " cannot be run: " + std::strerror(code)};
}

Result<pid_t> spawn(const std::vector<std::string>& command, const Pipe& output) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, output.writer(), STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments;
  for (const auto& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  // The starting thread may have blocked signals, and the program would inherit that.
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t id = 0;
  const int code = ::posix_spawnp(&id, arguments[0], &actions, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (code != 0) return cannot_run(command.front(), code);
  return id;
}

/// The time to poll: until the deadline, but at most `longest`, so that the caller's own clock is checked.
int milliseconds_until(TimePoint deadline, TimePoint now, std::chrono::milliseconds longest) {
  return static_cast<int>(
      std::min(std::chrono::ceil<std::chrono::milliseconds>(deadline - now), longest).count());
}

void write_byte(void* pipe) {
  const char byte = 0;
  [[maybe_unused]] const auto written = ::write(static_cast<const Pipe*>(pipe)->writer(), &byte, 1);
}

}  // namespace

Result<ProgramResult> run_program(const std::vector<std::string>& command, Clock& clock, TimePoint deadline,
                                  const CancelToken& cancel) {
  Pipe output;
  Pipe cancelled;
  if (output.reader() < 0 || cancelled.reader() < 0) return cannot_run(command.front(), errno);
  auto id = spawn(command, output);
  if (!id) return std::move(id).error();
  Child child(*id);
  output.close_writer();
  const CancelToken::Hook on_cancel(cancel, &write_byte, &cancelled);
  ProgramResult result;
  for (bool open = true;;) {
    if (cancel.cancelled()) return inferwire::cancelled();
    const auto now = clock.now();
    if (now >= deadline) {
      return Error{.kind = ErrorKind::timeout, .detail = "the program " + command.front() + " took too long"};
    }
    if (!open) {
      // Its output has ended, so it is about to exit.
      if (const auto status = child.exit_status()) {
        result.exit_status = *status;
        return result;
      }
    }
    std::array<pollfd, 2> waiting{pollfd{cancelled.reader(), POLLIN, 0}, pollfd{output.reader(), POLLIN, 0}};
    const auto longest = std::chrono::milliseconds(open ? 500 : 5);
    const auto ready = ::poll(waiting.data(), open ? 2 : 1, milliseconds_until(deadline, now, longest));
    if (ready <= 0 || !open || waiting[1].revents == 0) continue;
    std::array<char, 4096> buffer{};
    const auto count = ::read(output.reader(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    open = count > 0;
    if (open) result.output.append(buffer.data(), static_cast<std::size_t>(count));
    if (result.output.size() > most_bytes) {
      return Error{.kind = ErrorKind::too_large,
                   .detail = "the program " + command.front() + " wrote too much"};
    }
  }
}

}  // namespace inferwire::inline v0_1::auth

#else

namespace inferwire::inline v0_1::auth {

Result<ProgramResult> run_program(const std::vector<std::string>& command, Clock&, TimePoint,
                                  const CancelToken&) {
  return Error{.kind = ErrorKind::unsupported,
               .detail = "the program " + command.front() + " cannot be run: this system is not POSIX"};
}

}  // namespace inferwire::inline v0_1::auth

#endif
