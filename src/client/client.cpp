#include "inferwire/client.hpp"

#include "client/core.hpp"
#include "client/unsent.hpp"

#include <utility>

namespace inferwire::inline v0_1 {

namespace {

/// Held by copies of a client, its resources and its calls. Destroying the last reference ends what still
/// runs on the event loop, which holds the core itself.
class Handle {
 public:
  explicit Handle(std::shared_ptr<detail::Core> core) : core_(std::move(core)) {}
  ~Handle() { core_->close(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  detail::Core* core() const noexcept { return core_.get(); }

 private:
  std::shared_ptr<detail::Core> core_;
};

std::shared_ptr<detail::Core> make_core(ClientOptions options) {
  auto handle = std::make_shared<Handle>(detail::Core::make(std::move(options)));
  auto* const core = handle->core();
  return {std::move(handle), core};
}

}  // namespace

BodyEdit BodyEdit::set(std::string pointer, Json value) {
  return {Kind::set, std::move(pointer), std::move(value)};
}
BodyEdit BodyEdit::replace(std::string pointer, Json value) {
  return {Kind::replace, std::move(pointer), std::move(value)};
}
BodyEdit BodyEdit::remove(std::string pointer) { return {Kind::remove, std::move(pointer), {}}; }

void Folds<Json>::Accumulator::add(const Json& element) { elements.push_back(element); }
std::vector<Json> Folds<Json>::Accumulator::take(bool /*complete*/) { return std::move(elements); }

Client::Client(ClientOptions options) : Client(make_core(std::move(options))) {}

Client::Client(std::shared_ptr<detail::Core> core)
    : chat(core), completions(core), embeddings(core), models(core), responses(std::move(core)) {}

AuthReport Client::describe_auth() const {
  if (!chat.core_) return {.problem = client::moved_from()};
  return chat.core_->describe_auth();
}

}  // namespace inferwire::inline v0_1
