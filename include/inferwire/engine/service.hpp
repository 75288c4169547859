/// \file
/// The interface of the engine: takes a request, returns an answer that its caller advances step by step.
#pragma once

#include "inferwire/export.hpp"
#include "inferwire/transport.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// What to do next with an answer.
struct Step {
  enum class Kind : std::uint8_t {
    /// Send `bytes`, then step again; empty: some work was done, but there is nothing to send yet.
    bytes,
    wait,    ///< wait until `until`, then step again
    done,    ///< the answer is complete
    broken,  ///< close the connection without ending the answer
  };

  Kind kind{Kind::done};
  std::string_view bytes{};  ///< valid until the next step
  TimePoint until{};
};

/// An answer in progress. Each step does a small piece of work, at most one token, so that the caller can
/// stop, wait or serve other requests between two steps. Destroying it stops the work. Used by one thread at
/// a time.
class INFERWIRE_API Generation {
 public:
  virtual ~Generation();

  /// Available from the start: a refusal has its status here, a stream has 200 before its first byte. The
  /// head of an answer that is not streamed may change to that of an error until the first bytes are there.
  /// If the head names an HTTP version, the end of a complete answer is marked only by closing the
  /// connection.
  virtual const ResponseHead& head() const = 0;
  /// Whether the body is sent piece by piece (a stream), or as a whole with its length. An answer that is not
  /// streamed may become a stream, with another head, in a step without bytes before its first bytes.
  virtual bool streamed() const = 0;
  /// Does a piece of work and returns what to do next. `now` is the time on the caller's clock.
  virtual Step step(TimePoint now) = 0;
};

/// Something that answers HTTP requests. Safe from any thread.
class INFERWIRE_API Service {
 public:
  virtual ~Service();

  /// Starts an answer. Never null: a request that cannot be answered gets an answer with an error status.
  virtual std::unique_ptr<Generation> start(const HttpRequest& request, TimePoint now) = 0;

  /// The largest body that `start` accepts, in bytes. A server may cut off a larger one after one byte more
  /// than this, since `start` refuses it anyway. Default 64 MiB.
  virtual std::uint64_t max_request_bytes() const;
};

}  // namespace inferwire::inline v0_1::engine
