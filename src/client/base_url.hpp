/// \file
/// Where the requests of a client go.
#pragma once

#include <string>
#include <string_view>

#include "inferwire/result.hpp"
#include "protocol/url.hpp"

namespace inferwire::inline v0_1::client {

struct BaseUrl {
  protocol::Url url{};  ///< the URL without its query
  std::string text{};   ///< `url` as text, without a slash at its end
  std::string query{};  ///< what is sent with every request
  /// Whether keys may be sent there: it is not one of plain http, or of this machine, or allowed.
  bool keys_may_go{};

  /// Errors: config.
  static Result<BaseUrl> read(std::string_view text, bool allow_plain_http_key);
};

}  // namespace inferwire::inline v0_1::client
