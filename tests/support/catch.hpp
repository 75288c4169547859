/// \file
/// Includes Catch2 2.13 (Debian 12) or 3 under the same names.
#pragma once

#include <string>

#if defined(__clang__)
// Catch2 2.13 names its tests with __COUNTER__, which Clang 22 considers an extension.
#pragma clang diagnostic ignored "-Wunknown-warning-option"
#pragma clang diagnostic ignored "-Wc2y-extensions"
#endif

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers_all.hpp>

namespace inferwire_test {
using Catch::Approx;
inline auto contains(const std::string& part) { return Catch::Matchers::ContainsSubstring(part); }
}  // namespace inferwire_test
#else
#include <catch2/catch.hpp>

namespace inferwire_test {
using Catch::Detail::Approx;  // Catch::Approx is a vector matcher in version 2
inline auto contains(const std::string& part) { return Catch::Matchers::Contains(part); }
}  // namespace inferwire_test
#endif
