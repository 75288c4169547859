/// \file
/// Host names that resolve as a test needs. A program that links stalled_resolver.cpp and exports its symbols
/// (CMake's ENABLE_EXPORTS) resolves these names there, also for libcurl. All other names resolve as usual.
#pragma once

#include <string>
#include <string_view>

namespace inferwire_test {

/// A name whose lookup does not end.
inline constexpr std::string_view stalled_name = "stalled.inferwire.test";
/// A name that does not exist.
inline constexpr std::string_view unknown_name = "unknown.inferwire.test";
/// A network interface that does not exist; libcurl also looks it up as a host.
inline constexpr std::string_view unknown_interface = "no-such-interface";
/// A name that may exist: the resolver could not be asked.
inline constexpr std::string_view unanswered_name = "unanswered.inferwire.test";
/// The end of names whose address is 127.0.0.1, and whose lookups are counted.
inline constexpr std::string_view local_suffix = ".local.inferwire.test";

/// The number of threads that currently look up the stalled name.
int stalled_lookups();
/// Ends these lookups without a result; returns when they are over. No thread of libcurl may run when a
/// program ends.
void end_stalled_lookups();
/// How often a name with the local suffix has been looked up.
int lookups_of(const std::string& name);

}  // namespace inferwire_test
