/// \file
/// Answers made to fit the request, for ScriptTransport and MockServer.
#pragma once

#include <memory>
#include <utility>

#include "inferwire/export.hpp"
#include "inferwire/testing/reply.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::testing {

/// Makes the reply to a request. May be called from several threads if several drive.
class INFERWIRE_API Handler {
 public:
  virtual ~Handler();
  /// The reply to `request`. An exception breaks the exchange: ScriptTransport's ends with Error{connection},
  /// MockServer resets the connection and writes `handler_threw` into its journal.
  virtual Reply answer(const HttpRequest& request) = 0;

  /// One that calls `function(request)`, which gives a Reply.
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
