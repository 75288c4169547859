/// \file
/// What libcurl says went wrong, as facts.
#pragma once

#include <curl/curl.h>

#include <string_view>

#include "inferwire/error.hpp"

namespace inferwire::inline v0_1::http {

/// `text` is libcurl's own description of the failure, `os_error` the errno it met (0: none), `place` the
/// host and port it talked to. None of them holds a secret.
Error error_from_curl(CURLcode code, std::string_view text, int os_error, std::string_view place);

}  // namespace inferwire::inline v0_1::http
