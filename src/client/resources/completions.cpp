#include "inferwire/completions.hpp"

#include "client/resources/launch.hpp"
#include "client/resources/open.hpp"
#include "client/resources/resource.hpp"
#include "inferwire/client.hpp"

namespace inferwire::inline v0_1::completions {

Result<Response> Resource::create(const Request& request, const CallOptions& options) const {
  return client::ask(core_, options, client::whole_verb(request));
}

Stream<Chunk> Resource::stream(const Request& request, const CallOptions& options) const {
  return client::stream_of<Chunk>(core_, client::stream_plan(core_, request, options));
}

Pending<Response> Resource::start(const Request& request, const CallOptions& options) const {
  return client::launch(core_, options, client::whole_verb(request));
}

AsyncStream<Chunk> Resource::open(const Request& request, const CallOptions& options) const {
  return client::open_of<Chunk>(core_, client::stream_plan(core_, request, options), options);
}

}  // namespace inferwire::inline v0_1::completions
