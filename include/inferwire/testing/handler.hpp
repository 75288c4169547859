/// \file
/// Answers that depend on the request, for ScriptTransport and MockServer.
#pragma once

#include "inferwire/export.hpp"
#include "inferwire/testing/reply.hpp"
#include "inferwire/transport.hpp"

#include <memory>
#include <utility>

namespace inferwire::inline v0_1::testing {

/// Makes the reply to a request. May be called from several threads at a time if several threads drive
/// exchanges.
class INFERWIRE_API Handler {
 public:
  virtual ~Handler();
  /// The reply to `request`. If it throws, a ScriptTransport ends the exchange with Error{connection}; a
  /// MockServer replies with status 500, and writes `handler_threw` into its journal. Both quote the
  /// exception.
  virtual Reply answer(const HttpRequest& request) = 0;

  /// Makes a Handler from a function: `function(request)` is called for each request and returns the Reply.
  template <class F>
  static std::shared_ptr<Handler> of(F function) {
    class Calls final : public Handler {
     public:
      explicit Calls(F&& callee) : function_(std::move(callee)) {}
      Reply answer(const HttpRequest& request) override { return function_(request); }

     private:
      F function_;
    };
    return std::make_shared<Calls>(std::move(function));
  }
};

}  // namespace inferwire::inline v0_1::testing
