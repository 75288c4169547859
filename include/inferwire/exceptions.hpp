/// \file
/// Whether the program that includes us has exceptions: `.value()` is there only where it can throw.
#pragma once

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define INFERWIRE_EXCEPTIONS 1
#else
#define INFERWIRE_EXCEPTIONS 0
#endif
