/// \file
/// Writes the requests of calls without their credential: URL, headers and additions from the options of the
/// call.
#pragma once

#include "client/answer_form.hpp"
#include "client/base_url.hpp"
#include "inferwire/client.hpp"
#include "inferwire/transport.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::client {

/// A request to the service before the options of the call are applied.
struct RequestDraft {
  std::optional<std::string> method{};  ///< absent: POST if there is a body, else GET
  std::string path{};                   ///< to be appended to the base URL
  std::optional<std::string> body{};
  AnswerForm form{AnswerForm::whole};
};

/// The path of the endpoint for `resource`, with the model's name inserted at its placeholder, if there is
/// one. Errors: unsupported (the route has no path), config, invalid_request (the model has no name).
Result<std::string> path_of(const Provider& row, std::string_view resource, const Route& route,
                            std::string_view model, AnswerForm form);

/// Frees the options that are part of a written request.
void forget_written(CallOptions& options) noexcept;

/// Uses no environment, transport or credential. Its constructor's arguments must outlive it.
class RequestWriter {
 public:
  RequestWriter(const BaseUrl& base, const ClientOptions& options, const std::string& user_agent)
      : base_(base), options_(options), user_agent_(user_agent) {}

  /// Errors: invalid_request, config.
  Result<HttpRequest> write(RequestDraft&& draft, const CallOptions& options) const;

 private:
  Error invalid(std::string detail) const;

  const BaseUrl& base_;
  const ClientOptions& options_;
  const std::string& user_agent_;
};

}  // namespace inferwire::inline v0_1::client
