/// \file
/// Whether this process is still the one in which something was made.
#pragma once

namespace inferwire::inline v0_1 {

/// How often fork() has led to this process, since the first call: another number than the parent's in a
/// child. There only the thread that forked lives on, and every connection is the parent's, too. 0 where
/// there is no fork().
unsigned forks() noexcept;

}  // namespace inferwire::inline v0_1
