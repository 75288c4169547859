/// \file
/// Logs libcurl's debug output, without secrets.
#pragma once

#include "inferwire/log.hpp"
#include "inferwire/transport.hpp"

#include <curl/curl.h>

#include <string_view>

namespace inferwire::inline v0_1::http {

/// Logs debug output of libcurl about `request` at level debug: its messages and the heads that are sent and
/// received, with the values of harmless headers only. Bodies are omitted.
void write_remark(Log& log, curl_infotype type, std::string_view text, const HttpRequest& request);

}  // namespace inferwire::inline v0_1::http
