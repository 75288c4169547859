/// \file
/// What of JSON schemas OpenAI takes where they are strict.
#pragma once

#include "engine/constraint/schema_report.hpp"

namespace inferwire::inline v0_1::engine {

/// A fault for the first thing in a schema that OpenAI refuses, in its words.
///
/// | In a schema | Refused |
/// | --- | --- |
/// | the root | what is no object; `anyOf` |
/// | any | `allOf`, `default`; one without `type`, `anyOf` or `$ref`: `true`, `{}`, values alone |
/// | with `$ref` | any keyword beside it |
/// | with `format` | what is not date-time, time, date, duration, email, hostname, ipv4, ipv6 or uuid |
/// | an array | one without `items`, whatever `prefixItems` it has |
/// | an object | one whose properties are not all required; one that does not say that there are no others |
void check_subset(const Schema& document, SchemaReport& report);

}  // namespace inferwire::inline v0_1::engine
