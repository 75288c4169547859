// Compiles as it is. Must not compile with -DINFERWIRE_TEXTS, where a list of texts has one pair of braces
// too many, nor with -DINFERWIRE_NUMBERS, where it is one of numbers: each would make one string.
#include "inferwire/completions.hpp"

namespace inferwire::inline v0_1 {

const completions::Request asked{
#if defined(INFERWIRE_NUMBERS)
    .prompt = {{1, 2}},
#else
    .prompt = {"one", "two"},
#endif
#if defined(INFERWIRE_TEXTS)
    .stop = {{"END", "STOP"}}
#else
    .stop = {"END", "STOP"}
#endif
};

}  // namespace inferwire::inline v0_1
