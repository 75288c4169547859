#include "client/loop/trampoline.hpp"

#include "client/loop/user_callbacks.hpp"

#include <utility>
#include <vector>

namespace inferwire::inline v0_1::client {

namespace {

thread_local std::vector<Executor::Task>* trampoline = nullptr;  // waiting tasks, while a task runs

bool has_to_wait(Executor::Task& task) noexcept {
  if (trampoline == nullptr) return false;
  try {
    trampoline->emplace_back();
  } catch (...) {  // no memory: uses the stack instead
    return false;
  }
  trampoline->back() = std::move(task);
  return true;
}

}  // namespace

void run_on_trampoline(Executor::Task task) noexcept {
  if (has_to_wait(task)) return;
  std::vector<Executor::Task> waiting;
  const auto before = std::exchange(trampoline, &waiting);
  call_user(task, nullptr);
  drain_trampoline();
  trampoline = before;
}

void drain_trampoline() noexcept {
  if (trampoline == nullptr) return;
  while (!trampoline->empty()) {
    for (auto& next : std::exchange(*trampoline, {})) call_user(next, nullptr);
  }
}

}  // namespace inferwire::inline v0_1::client
