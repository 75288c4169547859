// Checks the golden texts on a machine that has no test framework.
#include "engine/golden_texts.hpp"

#include <cinttypes>
#include <cstdio>

int main() {
  int wrong = 0;
  for (const auto& [what, is, should_be] : inferwire_test::golden_texts()) {
    std::printf("%s: %016" PRIX64 ", %s\n", what, is, is == should_be ? "as everywhere" : "WRONG");
    wrong += is == should_be ? 0 : 1;
  }
  return wrong;
}
