/// \file
/// Names that resolve as a test says. A program that links stalled_resolver.cpp, and exports its symbols
/// (CMake's ENABLE_EXPORTS), has these names resolved there, for libcurl too; all others as ever.
#pragma once

#include <string_view>

namespace inferwire_test {

/// Is looked up without an end.
inline constexpr std::string_view stalled_name = "stalled.inferwire.test";
/// Does not exist, as far as anybody knows.
inline constexpr std::string_view unknown_name = "unknown.inferwire.test";
/// May exist: the resolver could not be asked.
inline constexpr std::string_view unanswered_name = "unanswered.inferwire.test";

/// How many threads look the stalled name up at the moment.
int stalled_lookups();
/// Ends these lookups, without a result, and returns when they are over: nothing of libcurl's may run any
/// more when a program ends.
void end_stalled_lookups();

}  // namespace inferwire_test
