/// \file
/// The drive contract of transport.hpp as checks that can be run on any transport.
///
/// To plug a transport in: derive a Door, make a new one for every check, and add a file like
/// script_contract_test.cpp to the CMakeLists.txt beside it:
///
///     TEST_CASE("my transport keeps the drive contract") {
///       const auto check = GENERATE(from_range(contract::checks()));
///       DYNAMIC_SECTION(check.name) {
///         MyDoor door;
///         check.run(door);
///       }
///     }
#pragma once

#include "inferwire/clock.hpp"
#include "inferwire/testing/reply.hpp"
#include "inferwire/transport.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace contract {

/// A transport and the scripted server behind it.
class Door {
 public:
  virtual ~Door() = default;

  virtual std::shared_ptr<inferwire::Transport> transport() = 0;
  /// The URL that requests go to, with POST.
  virtual std::string url() = 0;

  /// Appends a reply. Replies go to requests in the order in which the requests are first driven. The checks
  /// use status, headers, pieces with and without a gate, framing, the endings `whole` and `silence`, and a
  /// head gate that never opens.
  virtual void push(inferwire::testing::Reply reply) = 0;
  /// Whether replies may also have the ending `cut`.
  virtual bool can_cut() const { return true; }

  /// Waits until the server has seen the client go away `count` times.
  virtual bool wait_for_close(std::size_t count, std::chrono::milliseconds limit) = 0;

  /// The clock that the transport's deadlines go by.
  virtual inferwire::Clock& clock() { return inferwire::Clock::system(); }
};

struct Check {
  std::string name;
  void (*run)(Door&);
};

std::vector<Check> checks();

}  // namespace contract
