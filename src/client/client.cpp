#include "inferwire/client.hpp"

#include <utility>

#include "client/core.hpp"
#include "client/resource.hpp"

namespace inferwire::inline v0_1 {

Client::Client(ClientOptions options) : Client(detail::Core::make(std::move(options))) {}

Client::Client(std::shared_ptr<detail::Core> core)
    : chat(core), completions(core), embeddings(core), models(core), responses(std::move(core)) {}

AuthReport Client::describe_auth() const {
  if (!chat.core_) return {.problem = client::moved_from()};
  return chat.core_->describe_auth();
}

}  // namespace inferwire::inline v0_1
