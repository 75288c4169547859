/// \file
/// The interface of the engine: a request in, an answer that is stepped by whoever drives.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "inferwire/export.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::engine {

/// What an answer does next.
struct Step {
  enum class Kind : std::uint8_t {
    /// Send `bytes`, then step again; empty: a piece of work was done and there is nothing to send yet.
    bytes,
    wait,    ///< nothing before `until`
    done,    ///< the answer is complete
    broken,  ///< close the connection without ending the answer
  };

  Kind kind{Kind::done};
  std::string_view bytes{};  ///< valid until the next step
  TimePoint until{};
};

/// An answer under way. Each step does a small piece of work, a token at most, so whoever drives can stop,
/// wait or serve others between two steps. Destroying it stops the work. Used by one thread at a time.
class INFERWIRE_API Generation {
 public:
  virtual ~Generation();

  /// Known from the start: refusals have their status here, streams say 200 before their first byte. That of
  /// an answer that is not streamed may become another one, an error's, until the first bytes are there. One
  /// that names a version of HTTP says that nothing but the end of the connection ends a whole answer.
  virtual const ResponseHead& head() const = 0;
  /// Whether the body is sent piece by piece (a stream) or as one with its length known. An answer that is
  /// not streamed may become a stream, with another head, in a step without bytes before its first ones.
  virtual bool streamed() const = 0;
  /// Does a piece of work, and returns its outcome. `now` is the time of whoever drives.
  virtual Step step(TimePoint now) = 0;
};

/// Something that answers HTTP requests. Safe from any thread.
class INFERWIRE_API Service {
 public:
  virtual ~Service();

  /// Never null: a request that cannot be answered gets an answer with an error status.
  virtual std::unique_ptr<Generation> start(const HttpRequest& request, TimePoint now) = 0;

  /// The longest body that `start` accepts. A server may cut a longer one off after one byte more than this:
  /// `start` refuses it in any case. Default 64 MiB.
  virtual std::uint64_t max_request_bytes() const;
};

}  // namespace inferwire::inline v0_1::engine
