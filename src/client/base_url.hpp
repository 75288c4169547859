/// \file
/// The base URL of a client's requests.
#pragma once

#include "inferwire/result.hpp"
#include "protocol/url.hpp"

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::client {

struct BaseUrl {
  protocol::Url url{};  ///< the URL without its query
  std::string text{};   ///< `url` as text, without a trailing slash
  std::string query{};  ///< the query to send with every request
  /// Whether keys may be sent there: the URL is not plain http, or is on this machine, or this is allowed.
  bool keys_may_go{};

  /// Errors: config.
  static Result<BaseUrl> read(std::string_view text, bool allow_plain_http_key);

  /// The URL of a path. At the own host of Databricks' gateway, `{workspace}.ai-gateway.{domain}`, the paths
  /// lack the `/ai-gateway` with which they begin at a workspace's host.
  std::string with(std::string_view path) const;
};

}  // namespace inferwire::inline v0_1::client
