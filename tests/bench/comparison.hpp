/// \file
/// Compares two ways of doing the same work in CPU time of this process (user and system, all threads), and
/// prints the lines that run.sh reads.
#pragma once

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace inferwire_bench {

inline void stay_on(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<std::size_t>(core), &cores);
  ::sched_setaffinity(0, sizeof cores, &cores);
}

/// Keeps this process on the core that it runs on. A small call costs 14 us or 36 us, depending on whether
/// the server wakes its client on another core, and the scheduler would stay with one choice for one of the
/// two sides.
inline void stay_on_one_core() { stay_on(::sched_getcpu()); }

inline double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

template <class F>
double cost_of(int times, F&& work) {
  const auto begin = cpu_seconds();
  for (int i = 0; i < times; ++i) work();
  return (cpu_seconds() - begin) / times;
}

inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

inline void figure(const std::string& name, double value, double limit) {
  std::printf("figure %s %.3f %.3f %s\n", name.c_str(), value, limit, value <= limit ? "ok" : "short");
  std::fflush(stdout);
}

/// How many rounds there are, and how often each side does its work in a round.
struct Turns {
  int rounds{41};
  int times{1};
};

/// The median over the rounds of the ratio of the two sides' costs. In a round both sides have their turn.
template <class Ours, class Bare>
double ratio_of(const char* name, Turns turns, Ours&& ours, Bare&& bare) {
  ours();
  bare();
  std::vector<double> ratios;
  std::vector<double> ours_costs;
  std::vector<double> bare_costs;
  for (int i = 0; i < turns.rounds; ++i) {
    const bool bare_first = i % 2 == 0;
    const double first = bare_first ? cost_of(turns.times, bare) : cost_of(turns.times, ours);
    const double second = bare_first ? cost_of(turns.times, ours) : cost_of(turns.times, bare);
    bare_costs.push_back(bare_first ? first : second);
    ours_costs.push_back(bare_first ? second : first);
    ratios.push_back(ours_costs.back() / bare_costs.back());
  }
  std::printf("# %s: %.1f us, the other %.1f us of CPU\n", name, median(ours_costs) * 1e6,
              median(bare_costs) * 1e6);
  return median(ratios);
}

}  // namespace inferwire_bench
