// What a child of fork() may do with a client that its parent made.
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/mock_calls.hpp"
#include "support/sanitized.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <optional>

using namespace inferwire;
using namespace inferwire::testing;
using inferwire_test::answer_of;
using inferwire_test::hello;
using inferwire_test::options_for;

namespace {

/// The result of `work` in a child process; -1 if the child did not finish.
template <class Work>
int in_child(Work work) {
  const auto child = ::fork();
  if (child == 0) {
    constexpr unsigned most_seconds = 20;
    ::alarm(most_seconds);
    ::_exit(work());
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("a child of fork() opens its own connections and has no event loop") {
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json(answer_of("Hi.")); });
  const auto options = options_for(server);
  std::optional<Client> client(options);
  REQUIRE(client->chat.create(hello));
  REQUIRE(client->chat.start(hello).get());
  const auto before = server.connections();
  enum : int { good, no_answer, no_error, other_error };
  const auto outcome = in_child([&] {
    for (int i = 0; i < 2; ++i) {
      if (!client->chat.create(hello)) return no_answer;
    }
    const auto reply = client->chat.start(hello).get();
    if (reply) return no_error;
    if (reply.error().kind != ErrorKind::config) return other_error;
    std::optional<Client> own;
    if (!inferwire_test::sanitized) own.emplace(options);  // TSan allows no new threads in a child
    if (own && !own->chat.start(hello).get()) return no_answer;
    client.reset();
    return !own || own->chat.start(hello).get() ? good : no_answer;
  });
  CHECK(outcome == good);
  const auto after = server.connections();
  CHECK(after == before + (inferwire_test::sanitized ? 1 : 2));
  CHECK(client->chat.create(hello));
  CHECK(client->chat.start(hello).get());
  CHECK(server.connections() == after);
}
