/// \file
/// The requests of calls, but for their credential: URL, headers and what the options of a call add.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "client/answer_form.hpp"
#include "client/base_url.hpp"
#include "inferwire/client.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::client {

/// What is asked of the service, but for what the options of the call add.
struct Ask {
  std::optional<std::string> method{};  ///< absent: POST where there is a body, else GET
  std::string path{};                   ///< to be appended to the base URL
  std::optional<std::string> body{};
  AnswerForm form{AnswerForm::whole};
};

/// The path of the endpoint for `resource`, with the model's name in it where it has a place for that.
/// Errors: unsupported (the route has none), config, invalid_request (there is no name).
Result<std::string> path_of(const Provider& row, std::string_view resource, const Route& route,
                            std::string_view model, AnswerForm form);

/// Knows no environment, transport or credential. Borrows all that it is given for its life.
class RequestWriter {
 public:
  RequestWriter(const BaseUrl& base, const ClientOptions& options, const std::string& user_agent)
      : base_(base), options_(options), user_agent_(user_agent) {}

  /// Errors: invalid_request, config.
  Result<HttpRequest> write(Ask ask, const CallOptions& options) const;

 private:
  Error invalid(std::string detail) const;

  const BaseUrl& base_;
  const ClientOptions& options_;
  const std::string& user_agent_;
};

}  // namespace inferwire::inline v0_1::client
