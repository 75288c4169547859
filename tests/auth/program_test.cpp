#include "auth/program/program.hpp"

#include "support/catch.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

using namespace inferwire;
using inferwire::auth::ProgramResult;
using inferwire::auth::run_program;
using namespace std::chrono_literals;

namespace {

Result<ProgramResult> run(const std::vector<std::string>& command, std::chrono::milliseconds limit = 20s,
                          const CancelSource& cancel = {}) {
  auto& clock = Clock::system();
  return run_program(command, clock, clock.now() + limit, cancel.token());
}

}  // namespace

TEST_CASE("a program's output and exit status are read, its standard error is not") {
  const auto result = run({"sh", "-c", "echo out; echo err >&2; exit 7"});
  REQUIRE(result);
  CHECK(result->exit_status == 7);
  CHECK(result->output == "out\n");
}

TEST_CASE("a program's output may be one byte") {
  const auto result = run({"printf", "1"});
  REQUIRE(result);
  CHECK(result->output == "1");
}

TEST_CASE("a program's arguments go through no shell") {
  const auto result = run({"echo", "$HOME; `id` \"x\""});
  REQUIRE(result);
  CHECK(result->output == "$HOME; `id` \"x\"\n");
}

TEST_CASE("a program's standard input is empty") {
  const auto result = run({"cat"});
  REQUIRE(result);
  CHECK(result->output.empty());
}

TEST_CASE("a program that a signal ends has an exit status above 128") {
  const auto result = run({"sh", "-c", "kill -9 $$"});
  REQUIRE(result);
  CHECK(result->exit_status == 128 + 9);
}

TEST_CASE("a program starts with no signal blocked") {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const auto result = run({"sh", "-c", "kill -15 $$; echo deaf"});
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  REQUIRE(result);
  CHECK(result->exit_status == 128 + 15);
  CHECK(result->output.empty());
}

TEST_CASE("a program's end is seen with SIGCHLD ignored") {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const auto result = run({"echo", "key"}, 5s);
  std::signal(SIGCHLD, before);
  REQUIRE(result);
  CHECK(result->output == "key\n");
  CHECK(result->exit_status == 0);
}

TEST_CASE("running a program does not reap other children") {
  const auto other = ::fork();
  if (other == 0) ::_exit(5);
  ::siginfo_t ended{};
  REQUIRE(::waitid(P_PID, static_cast<::id_t>(other), &ended, WEXITED | WNOWAIT) == 0);
  CHECK(run({"echo", "key"}));
  int status = 0;
  CHECK(::waitpid(other, &status, 0) == other);
  CHECK(WEXITSTATUS(status) == 5);
}

TEST_CASE("a program leaves no file open") {
  const auto tenth_unused = [] {
    std::array<int, 10> files{};
    for (int& file : files) file = ::dup(STDIN_FILENO);
    for (const int file : files) ::close(file);
    return files.back();
  };
  const int before = tenth_unused();
  CHECK(run({"echo", "key"}));
  CHECK(tenth_unused() == before);
}

TEST_CASE("a program that is not there is named") {
  const auto result = run({"inferwire-no-such-program", "secret-argument"});
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == ErrorKind::config);
  CHECK(result.error().detail.find("inferwire-no-such-program") != std::string::npos);
  CHECK(result.error().detail.find("secret-argument") == std::string::npos);
}

TEST_CASE("a program is killed at the deadline, whether it has closed its output or not") {
  for (const auto* script : {"exec sleep 60", "exec >&-; exec sleep 60"}) {
    const auto result = run({"sh", "-c", script}, 50ms);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::timeout);
  }
}

TEST_CASE("a program is killed when the caller cancels") {
  CancelSource cancel;
  std::thread other([&cancel] { cancel.cancel(); });
  const auto began = Clock::system().now();
  const auto result = run({"sleep", "60"}, 60s, cancel);
  other.join();
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == ErrorKind::cancelled);
  CHECK(Clock::system().now() - began < 10s);
}

TEST_CASE("a program that writes without end is stopped") {
  const auto result = run({"yes"});
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == ErrorKind::too_large);
}
