// Measures how much memory `inferwire serve` takes when idle, whether many paced streams hold their pace, and
// how soon it lets go of clients that leave. Prints its own figures.
// usage: serve_bench path/to/inferwire
#include "support/raw_socket.hpp"

#include <dirent.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using namespace inferwire_test;

constexpr int streams = 64;
constexpr int tokens = 100;
constexpr int many_tokens = 4'000;  // takes far longer than anybody here waits
constexpr auto first_token = 100ms;
constexpr auto per_token = 20ms;
constexpr auto ideal = first_token + (tokens - 1) * per_token;

[[noreturn]] void give_up(const char* why) {
  std::printf("serve_bench: %s\n", why);
  std::exit(1);
}

/// The program, paced, in a process of its own.
class Program {
 public:
  explicit Program(const char* path) {
    int out[2];
    if (::pipe(out) != 0 || (process_ = ::fork()) < 0) give_up("cannot start a process");
    if (process_ == 0) {
      ::dup2(out[1], STDOUT_FILENO);
      ::close(out[0]);
      ::execl(path, path, "serve", "--ttft", "100", "--tokens-per-second", "50", nullptr);
      ::_exit(127);
    }
    ::close(out[1]);
    std::string line;
    for (char c = 0; ::read(out[0], &c, 1) == 1 && c != '\n';) line += c;
    ::close(out[0]);
    const auto colon = line.rfind(':');
    if (colon == line.npos) give_up("the server did not start");
    port_ = std::atoi(line.c_str() + colon + 1);
    sockets_at_first_ = sockets();
  }
  ~Program() {
    ::kill(process_, SIGTERM);
    ::waitpid(process_, nullptr, 0);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  int port() const { return port_; }

  double resident_megabytes() const {
    std::ifstream status(directory() + "/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("VmRSS:")) return std::atof(line.c_str() + 6) / 1024;
    }
    give_up("the process tells nothing about its memory");
  }

  int connections() const { return sockets() - sockets_at_first_; }

 private:
  std::string directory() const { return "/proc/" + std::to_string(process_); }

  int sockets() const {
    int count = 0;
    const auto path = directory() + "/fd";
    DIR* const files = ::opendir(path.c_str());
    if (files == nullptr) give_up("the process tells nothing about its sockets");
    while (const dirent* const file = ::readdir(files)) {
      char target[64]{};
      const auto name = path + "/" + file->d_name;
      if (::readlink(name.c_str(), target, sizeof target - 1) > 0) {
        count += std::string_view(target).starts_with("socket:") ? 1 : 0;
      }
    }
    ::closedir(files);
    return count;
  }

  pid_t process_{};
  int port_{};
  int sockets_at_first_{};
};

void post(RawSocket& socket, std::string_view path, const std::string& body) {
  socket.write("POST " + std::string(path) +
               " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
               std::to_string(body.size()) + "\r\n\r\n" + body);
}

std::string chat(int max_tokens, bool streamed) {
  return R"({"model":"inferwire-toy","messages":[{"role":"user","content":"Hi"}],"ignore_eos":true,"max_tokens":)" +
         std::to_string(max_tokens) + (streamed ? R"(,"stream":true})" : "}");
}

void figure(const char* name, double value, double limit) {
  std::printf("figure %s %.3f %.3f %s\n", name, value, limit, value <= limit ? "ok" : "short");
}

double milliseconds(Clock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

/// A stream that is read next to others.
struct Reading {
  RawSocket socket;
  std::string last{};
  Clock::time_point end{};
};

std::vector<Reading> open_streams(const Program& program, int max_tokens) {
  std::vector<Reading> out;
  for (int i = 0; i < streams; ++i) {
    auto& reading = out.emplace_back(Reading{.socket = RawSocket(program.port())});
    post(reading.socket, "/v1/chat/completions", chat(max_tokens, true));
  }
  return out;
}

/// The ratio of the time that the slowest of many streams takes to the time that the pace says. All begin
/// together.
double slowest_to_ideal(const Program& program) {
  const auto begin = Clock::now();
  auto readings = open_streams(program, tokens);
  for (std::size_t open = readings.size(); open > 0;) {
    std::vector<pollfd> waiting;
    for (const auto& reading : readings) {
      waiting.push_back({reading.end == Clock::time_point() ? reading.socket.descriptor() : -1, POLLIN, 0});
    }
    if (::poll(waiting.data(), waiting.size(), 10'000) <= 0) give_up("the streams stand still");
    for (std::size_t i = 0; i < readings.size(); ++i) {
      if (waiting[i].revents == 0) continue;
      auto& [socket, last, end] = readings[i];
      const auto bytes = socket.read();
      if (bytes.empty()) give_up("a stream broke off");
      last = (last + bytes).substr(std::max<std::size_t>(last.size() + bytes.size(), 64) - 64);
      if (last.find("data: [DONE]") == last.npos) continue;
      end = Clock::now();
      --open;
    }
  }
  Clock::duration slowest{};
  for (const auto& reading : readings) slowest = std::max(slowest, reading.end - begin);
  std::printf("# %d streams of %d tokens: the slowest took %.0f ms, the pace says %.0f ms\n", streams, tokens,
              milliseconds(slowest), milliseconds(ideal));
  return milliseconds(slowest) / milliseconds(ideal);
}

template <class Condition>
void wait_until(Condition condition) {
  const auto begin = Clock::now();
  while (!condition()) {
    if (Clock::now() - begin > 10s) give_up("the server has other connections than it should have");
    std::this_thread::sleep_for(1ms);
  }
}

void wait_until_all_left(const Program& program) {
  wait_until([&] { return program.connections() == 0; });
}

/// The time until the server has let go of all its clients, which leave at the same moment.
double time_of_leaving(const Program& program, std::vector<Reading> readings) {
  // The count is higher if the server looks at a connection through a socket of its own.
  wait_until([&] { return program.connections() >= streams; });
  const auto begin = Clock::now();
  readings.clear();
  wait_until_all_left(program);
  return milliseconds(Clock::now() - begin);
}

double streams_left(const Program& program) {
  wait_until_all_left(program);
  auto readings = open_streams(program, many_tokens);
  for (auto& reading : readings) reading.socket.read_until("\"content\":\"");
  return time_of_leaving(program, std::move(readings));
}

double whole_answers_left(const Program& program) {
  wait_until_all_left(program);
  std::vector<Reading> readings;
  for (int i = 0; i < streams; ++i) {
    auto& reading = readings.emplace_back(Reading{.socket = RawSocket(program.port())});
    post(reading.socket, "/v1/chat/completions", chat(many_tokens, false));
  }
  std::this_thread::sleep_for(first_token);  // now all answers are under way
  return time_of_leaving(program, std::move(readings));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) give_up("which program?");
  const Program program(argv[1]);
  std::printf("# just started: %.1f MB resident\n", program.resident_megabytes());
  {
    RawSocket client(program.port());
    post(client, "/v1/chat/completions", chat(8, false));
    client.read_until("total_tokens");
    post(client, "/v1/embeddings", R"({"model":"inferwire-embed","input":"a text"})");
    client.read_until("total_tokens");
  }
  figure("serve_idle_megabytes", program.resident_megabytes(), 32);  // the models have been learnt
  figure("serve_64_streams_to_pace", slowest_to_ideal(program), 1.1);
  std::printf("# after %d streams: %.1f MB resident\n", streams, program.resident_megabytes());
  figure("serve_streams_left_ms", streams_left(program), 100);
  figure("serve_whole_answers_left_ms", whole_answers_left(program), 100);
}
