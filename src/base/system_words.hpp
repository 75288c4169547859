/// \file
/// What the system calls its errors.
#pragma once

#include <string>

namespace inferwire::inline v0_1 {

/// The system's words for the number of an error: one of errno, on Windows of GetLastError or
/// WSAGetLastError.
std::string system_words(int error);

}  // namespace inferwire::inline v0_1
