/// \file
/// The requests of calls, but for their credential: URL, headers and what the options of a call add.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "client/base_url.hpp"
#include "inferwire/client.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::client {

/// Knows no environment, transport or credential. Borrows all that it is given for its life.
class RequestWriter {
 public:
  RequestWriter(const BaseUrl& base, const ClientOptions& options, const std::string& user_agent)
      : base_(base), options_(options), user_agent_(user_agent) {}

  /// GET when there is no body. Errors: unsupported (the route has no path), invalid_request, config.
  Result<HttpRequest> write(const Route& route, std::string_view model, std::optional<std::string> body,
                            bool stream, const CallOptions& options) const;
  /// Writes a request of a method and a path of the caller's.
  Result<HttpRequest> write(std::string_view method, std::string_view path, std::optional<std::string> body,
                            bool stream, const CallOptions& options) const;
  /// Whether a path of the caller's can be appended to the base URL.
  Result<void> check_path(std::string_view path) const;

 private:
  Result<HttpRequest> complete(HttpRequest request, std::optional<std::string> body, bool stream,
                               const CallOptions& options) const;
  Error config(std::string detail) const;
  Error invalid(std::string detail) const;

  const BaseUrl& base_;
  const ClientOptions& options_;
  const std::string& user_agent_;
};

}  // namespace inferwire::inline v0_1::client
