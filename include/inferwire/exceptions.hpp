/// \file
/// Whether the including program is compiled with exceptions: `.value()` exists only if it can throw.
#pragma once

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define INFERWIRE_EXCEPTIONS 1
#else
#define INFERWIRE_EXCEPTIONS 0
#endif
