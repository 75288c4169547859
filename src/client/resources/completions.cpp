#include "inferwire/completions.hpp"

#include "client/resources/launch.hpp"
#include "client/resources/open.hpp"
#include "inferwire/client.hpp"

namespace inferwire::inline v0_1::completions {

Result<Response> Resource::create(const Request& request, const CallOptions& options) const {
  return client::create(core_, request, options);
}

Stream<Chunk> Resource::stream(const Request& request, const CallOptions& options) const {
  return client::stream(core_, request, options);
}

Pending<Response> Resource::start(const Request& request, const CallOptions& options) const {
  return client::start(core_, request, options);
}

AsyncStream<Chunk> Resource::open(const Request& request, const CallOptions& options) const {
  return client::open(core_, request, options);
}

}  // namespace inferwire::inline v0_1::completions
