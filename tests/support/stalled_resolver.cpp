#include "support/stalled_resolver.hpp"

#include <dlfcn.h>
#include <netdb.h>

#include <condition_variable>
#include <map>
#include <mutex>

namespace inferwire_test {

namespace {

struct State {
  std::mutex mutex;  // guards the members below
  std::condition_variable changed;
  int waiting{};
  bool ending{};
  std::map<std::string, int> counts;
};

/// The state. It is never destroyed: a lookup may outlive `main`.
State& state() {
  static auto* const one = new State;
  return *one;
}

void stall() {
  auto& [mutex, changed, waiting, ending, counts] = state();
  std::unique_lock lock(mutex);
  ++waiting;
  while (!ending) changed.wait(lock);
  --waiting;
  changed.notify_all();
}

void count_lookup(std::string_view name) {
  const std::lock_guard lock(state().mutex);
  ++state().counts[std::string(name)];
}

}  // namespace

int stalled_lookups() {
  const std::lock_guard lock(state().mutex);
  return state().waiting;
}

void end_stalled_lookups() {
  auto& [mutex, changed, waiting, ending, counts] = state();
  std::unique_lock lock(mutex);
  ending = true;
  changed.notify_all();
  while (waiting > 0) changed.wait(lock);
  ending = false;
}

int lookups_of(const std::string& name) {
  const std::lock_guard lock(state().mutex);
  return state().counts[name];
}

}  // namespace inferwire_test

/// Replaces the C library's getaddrinfo.
extern "C" [[gnu::visibility("default")]] int getaddrinfo(const char* node, const char* service,
                                                          const addrinfo* hints, addrinfo** result) {
  using namespace inferwire_test;
  const std::string_view name = node == nullptr ? "" : node;
  if (name == unknown_name || name == unknown_interface) return EAI_NONAME;
  if (name == unanswered_name) return EAI_AGAIN;
  if (name == stalled_name) {
    stall();
    return EAI_FAIL;
  }
  using Function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
  static const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "getaddrinfo"));
  if (name.ends_with(local_suffix)) {
    count_lookup(name);
    return real("127.0.0.1", service, hints, result);
  }
  return real(node, service, hints, result);
}
