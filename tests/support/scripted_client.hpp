/// \file
/// A client of a service that follows a script.
#pragma once

#include "inferwire/client.hpp"
#include "inferwire/testing/manual_clock.hpp"
#include "inferwire/testing/script_transport.hpp"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace inferwire_test {

/// A client that gets `replies` in order, with a clock that jumps over every wait unless `mode` says
/// otherwise. Its options need neither a base URL nor a key.
struct ScriptedClient {
  using Mode = inferwire::testing::ManualClock::Mode;

  explicit ScriptedClient(std::vector<inferwire::testing::Reply> replies,
                          inferwire::ClientOptions options = {}, Mode mode = Mode::jumps)
      : clock(std::make_shared<inferwire::testing::ManualClock>(mode)),
        script(std::make_shared<inferwire::testing::ScriptTransport>(clock)),
        client(with(std::move(options))) {
    for (auto& reply : replies) script->push(std::move(reply));
  }

  /// Another client, with the same script and clock.
  inferwire::Client with(inferwire::ClientOptions options) const {
    if (!options.base_url) options.base_url = "http://localhost/v1";
    if (!options.api_key && !options.credential) options.credential = inferwire::Credential::none();
    options.transport = script;
    options.clock = clock;
    return inferwire::Client(std::move(options));
  }
  /// How many requests were sent.
  std::size_t requests() const { return script->requests().size(); }

  std::shared_ptr<inferwire::testing::ManualClock> clock;
  std::shared_ptr<inferwire::testing::ScriptTransport> script;
  inferwire::Client client;
};

}  // namespace inferwire_test
