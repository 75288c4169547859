/// \file
/// Tells whether the process has forked since something was created.
#pragma once

namespace inferwire::inline v0_1 {

/// The number of forks that led to this process since the first call: in a child it differs from the
/// parent's. In a child only the forking thread exists, and every connection is shared with the parent. 0 on
/// systems that lack fork().
unsigned forks() noexcept;

}  // namespace inferwire::inline v0_1
