/// \file
/// A scripted answer: ScriptTransport plays it in process, MockServer over a socket.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inferwire/export.hpp"
#include "inferwire/testing/gate.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::testing {

/// A part of a body that travels on its own.
struct Piece {
  std::string bytes{};
  std::optional<Gate> gate{};  ///< it is not sent before this gate is open
  std::chrono::milliseconds
      delay{};  ///< nor before so much time, of the transport's clock, after the one before
};

/// What comes after the last piece. An answer that is cut or reset and has no piece at all has no head
/// either.
enum class Ending : std::uint8_t {
  whole,    ///< the end as HTTP has it
  cut,      ///< the connection is closed without that end
  reset,    ///< the connection is reset (RST)
  silence,  ///< nothing, for ever
};

/// How MockServer marks the body's end.
enum class BodyFraming : std::uint8_t {
  content_length,
  chunked,      ///< each piece a chunk of its own
  until_close,  ///< by closing the connection
};

/// One answer. With `raw`, MockServer sends those bytes in place of everything that HTTP prescribes.
struct Reply {
  int status{200};
  std::vector<Header> headers{};
  std::vector<Piece> body{};
  Ending ending{Ending::whole};
  /// The head is not sent before this gate is open. The request has been received by then.
  std::optional<Gate> head_gate{};
  BodyFraming framing{BodyFraming::content_length};
  /// What Content-Length says, if not the truth.
  std::optional<std::uint64_t> claimed_length{};
  /// Sent as it is, followed by `body` without framing and by `ending`.
  std::string raw{};

  /// An answer as a whole.
  INFERWIRE_API static Reply json(std::string body, int status = 200);
  /// A stream of the given pieces: of media type text/event-stream, chunked.
  INFERWIRE_API static Reply stream(std::vector<std::string> pieces);
  /// Takes the request and never says anything.
  INFERWIRE_API static Reply silence();
  /// These bytes, then the connection is closed.
  INFERWIRE_API static Reply bytes(std::string raw);
  /// Closes the connection with RST instead of answering.
  INFERWIRE_API static Reply reset();
};

}  // namespace inferwire::inline v0_1::testing
