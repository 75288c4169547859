// A conversation in the terminal: one question per line, each answer as it arrives. Ctrl-C stops the answer
// and not the program; while the program waits for a question, it ends the program.
//
//     chat_repl --base-url http://localhost:11434/v1 --model llama3.2
//
// Prints the answer to each question, and "(stopped)" after one that was stopped.
#include "example.hpp"

#include <csignal>
#include <mutex>
#include <optional>
#include <thread>

using namespace inferwire;

namespace {

/// Stops the answer in progress, if there is one.
class Stop {
 public:
  void set(std::optional<CancelSource> source) {
    const std::lock_guard lock(mutex_);
    source_ = std::move(source);
  }
  std::optional<CancelSource> get() {
    const std::lock_guard lock(mutex_);
    return source_;
  }

 private:
  std::mutex mutex_;
  std::optional<CancelSource> source_;
};

void cancel_at_interrupt(const std::shared_ptr<Stop>& stop) {
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupt, nullptr);  // before any other thread starts: they inherit it
  std::thread([interrupt, stop] {
    for (int signal = 0;;) {
      sigwait(&interrupt, &signal);
      if (auto source = stop->get()) {
        source->cancel();
      } else {
        pthread_sigmask(SIG_UNBLOCK, &interrupt, nullptr);
        raise(SIGINT);  // as if it had never been blocked
      }
    }
  }).detach();
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "chat_repl <questions.txt", "inferwire-toy");
  const auto stop = std::make_shared<Stop>();
  cancel_at_interrupt(stop);
  const Client client(example::options(arguments));

  chat::Request request{.model = arguments.model, .messages = {chat::system("Be brief.")}};
  for (std::string line; std::cout << "> " << std::flush, std::getline(std::cin, line);) {
    request.messages.push_back(chat::user(line));
    const CancelSource source;  // each answer has its own: a used one would stop the next too
    stop->set(source);
    chat::Accumulator whole;
    bool complete = true;
    for (const auto& chunk : client.chat.stream(request, {.cancel = source.token()})) {
      complete = chunk.has_value();
      if (!complete && chunk.error().kind != ErrorKind::cancelled) return example::fail(chunk.error());
      if (complete) whole.add(*chunk);
      std::cout << (complete ? chunk->text() : " (stopped)") << std::flush;
    }
    stop->set({});
    std::cout << '\n';
    if (auto said = whole.take(complete).as_request()) request.messages.push_back(*std::move(said));
  }
}
