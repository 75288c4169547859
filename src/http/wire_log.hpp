/// \file
/// What libcurl has to say of its own accord, without the secrets in it.
#pragma once

#include <curl/curl.h>

#include <string_view>

#include "inferwire/log.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::http {

/// Writes what libcurl said while it made `request` to a log, at the level debug: its remarks and the heads
/// that go over the wire, with the values of harmless headers only. Bodies are left out.
void write_remark(Log& log, curl_infotype type, std::string_view text, const HttpRequest& request);

}  // namespace inferwire::inline v0_1::http
