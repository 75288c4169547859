/// \file
/// The base URL of a client's requests.
#pragma once

#include "inferwire/provider.hpp"
#include "inferwire/result.hpp"
#include "protocol/url.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::client {

struct BaseUrl {
  protocol::Url url{};  ///< the URL without its query
  std::string text{};   ///< `url` as text, without a trailing slash
  std::string query{};  ///< the query to send with every request
  /// Whether keys may be sent there: the URL is not plain http, or is on this machine, or this is allowed.
  bool keys_may_go{};
  std::string lacks{};  ///< what paths begin with at other hosts and not at this one; or empty

  /// Errors: config.
  static Result<BaseUrl> read(std::string_view text, bool allow_plain_http_key,
                              const std::vector<DedicatedHosts>& dedicated = {});

  /// The URL of a path.
  std::string with(std::string_view path) const;
};

}  // namespace inferwire::inline v0_1::client
