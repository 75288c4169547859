// The pollers: which sockets they report, and for whom.
#include "http/loop/poller.hpp"

#include "support/catch.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

using inferwire::TimePoint;
using inferwire::http::Poller;

namespace {

/// Two sockets that are connected to each other.
struct Pair {
  Pair() { REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0); }
  ~Pair() {
    for (const int end : ends) ::close(end);
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
  void send() const { REQUIRE(::write(ends[1], "x", 1) == 1); }

  int ends[2]{};  ///< the first is watched
};

/// What a poller reports without waiting: "7 rw" for a socket watched for 7 that can be read and written.
std::vector<std::string> ready(Poller& poller) {
  std::vector<std::string> all;
  for (const auto& one : poller.wait(TimePoint::min())) {
    all.push_back(std::to_string(one.owner) + (one.read ? " r" : " ") + (one.write ? "w" : "") +
                  (one.failed ? "!" : ""));
  }
  std::ranges::sort(all);
  return all;
}

using Reported = std::vector<std::string>;

}  // namespace

TEST_CASE("a poller reports the sockets that are ready, each for whom it is watched") {
  const auto poller =
      GENERATE(false, true) ? inferwire::http::make_portable_poller() : inferwire::http::make_poller();
  REQUIRE(poller);
  const Pair a, b, c;
  REQUIRE(poller->watch(a.ends[0], 1, true, false));
  REQUIRE(poller->watch(b.ends[0], 2, true, false));
  REQUIRE(poller->watch(c.ends[0], 3, false, true));
  c.send();  // it is not watched for reading
  CHECK(ready(*poller) == Reported{"3 w"});
  b.send();
  CHECK(ready(*poller) == Reported{"2 r", "3 w"});
  REQUIRE(poller->watch(b.ends[0], 5, true, true));  // replaces the earlier interest
  REQUIRE(poller->watch(c.ends[0], 3, true, false));
  CHECK(ready(*poller) == Reported{"3 r", "5 rw"});
  poller->forget(a.ends[0]);
  poller->forget(a.ends[1]);  // was never watched
  a.send();
  CHECK(ready(*poller) == Reported{"3 r", "5 rw"});
  poller->forget(b.ends[0]);
  CHECK(ready(*poller) == Reported{"3 r"});
  poller->forget(c.ends[0]);
  CHECK(ready(*poller).empty());
}

TEST_CASE("Poller::wake ends the next wait") {
  const auto poller =
      GENERATE(false, true) ? inferwire::http::make_portable_poller() : inferwire::http::make_poller();
  REQUIRE(poller);
  poller->wake();
  CHECK(poller->wait(TimePoint::max()).empty());
}
