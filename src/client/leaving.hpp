/// \file
/// A core that leaves its event loop.
#pragma once

#include <memory>

namespace inferwire::inline v0_1::detail {

class Core;

/// A core that leaves a loop once its last job has ended. It is the core's own, so that to leave needs no
/// memory.
struct Leaving {
  Core* core{};
  std::shared_ptr<Core> alive{};  ///< set if no other reference exists: keeps another core from getting the
                                  ///< same address
  bool over{};                    ///< set under the loop's lock, for a waiting thread
  Leaving* next{};                ///< in the loop's lists
};

}  // namespace inferwire::inline v0_1::detail
