// A program that loads plugin.cpp, uses it and unloads it, again and again. Exits with 0 if all is well.
//
// usage: plugin_host <plugin> calls|loop|server|lookup
#include "support/stalled_resolver.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <thread>

namespace {

/// Ends the program unless `good`.
void expect(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "expected: %s\n", what);
  std::_Exit(1);
}

bool is_loaded(const char* plugin) {
  void* const found = ::dlopen(plugin, RTLD_NOW | RTLD_NOLOAD);
  if (found != nullptr) ::dlclose(found);
  return found != nullptr;
}

/// Uses the plugin on a thread that has ended when it is closed.
void load_use_and_close(const char* plugin, const char* how) {
  void* const loaded = ::dlopen(plugin, RTLD_NOW | RTLD_LOCAL);
  expect(loaded != nullptr, "a plugin that can be loaded");
  auto* const use = reinterpret_cast<bool (*)(const char*)>(::dlsym(loaded, "use"));
  expect(use != nullptr, "a plugin with a function");
  bool good = false;
  std::thread([&] { good = use(how); }).join();
  expect(good, "calls as they should be");
  expect(::dlclose(loaded) == 0, "a plugin that can be closed");
}

/// Returns when no other thread is left.
void end_lookups() {
  const auto threads = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
  };
  while (threads() > 1) {
    inferwire_test::end_stalled_lookups();
    std::this_thread::yield();
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const char* const plugin = arguments[1];
  const std::string_view how = arguments[2];
  for (int round = 0; round < 3; ++round) {
    load_use_and_close(plugin, arguments[2]);
    // A plugin whose statics have a thread may stay.
    if (how == "calls" || how == "lookup") expect(!is_loaded(plugin), "a plugin that is unloaded");
  }
  if (how == "lookup") end_lookups();
}
