/// \file
/// The subset of JSON schemas that OpenAI accepts in strict mode.
#pragma once

#include "engine/constraint/schema_report.hpp"

namespace inferwire::inline v0_1::engine {

/// Reports the first thing in a schema that OpenAI refuses, with OpenAI's message.
///
/// | In a schema | Refused |
/// | --- | --- |
/// | the root | any type other than object; `anyOf` |
/// | any | keywords that json::is_permitted rejects, such as `allOf`, `uniqueItems` and `default` |
/// | any | one without `type`, `anyOf` or `$ref`: `true`, `{}`, `enum` or `const` alone |
/// | with `$ref` | any keyword beside it |
/// | with `format` | any except date-time, time, date, duration, email, hostname, ipv4, ipv6 and uuid |
/// | an array | one without `items` |
/// | an object | one whose properties are not all required; one without `additionalProperties: false` |
void check_subset(const Schema& document, SchemaReport& report);

}  // namespace inferwire::inline v0_1::engine
