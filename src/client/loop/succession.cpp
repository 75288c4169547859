#include "client/loop/succession.hpp"

#include <utility>
#include <vector>

#include "client/loop/users_code.hpp"

namespace inferwire::inline v0_1::client {

namespace {

thread_local std::vector<Executor::Task>* successors = nullptr;  // while something is called

bool has_to_wait(Executor::Task& task) noexcept {
  if (successors == nullptr) return false;
  try {
    successors->emplace_back();
  } catch (...) {  // no memory: the stack has to do
    return false;
  }
  successors->back() = std::move(task);
  return true;
}

}  // namespace

void call_in_succession(Executor::Task task) noexcept {
  if (has_to_wait(task)) return;
  std::vector<Executor::Task> waiting;
  const auto before = std::exchange(successors, &waiting);
  call_user(task, nullptr);
  call_successors();
  successors = before;
}

void call_successors() noexcept {
  if (successors == nullptr) return;
  while (!successors->empty()) {
    for (auto& next : std::exchange(*successors, {})) call_user(next, nullptr);
  }
}

}  // namespace inferwire::inline v0_1::client
