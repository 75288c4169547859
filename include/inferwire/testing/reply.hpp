/// \file
/// A scripted answer, which ScriptTransport gives in process and MockServer over a socket.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/testing/gate.hpp"
#include "inferwire/transport.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::testing {

/// A part of a body that is sent separately.
struct Piece {
  std::string bytes{};    ///< what is sent
  Optional<Gate> gate{};  ///< the piece is not sent before this gate is open
  /// The piece is not sent before this much time has passed since the previous one, on the transport's clock.
  std::chrono::milliseconds delay{};
  /// The size that the chunk claims to have, if not the true size (MockServer, chunked). A chunk that is
  /// shorter than it claims stays open.
  Optional<std::uint64_t> claimed_size{};
  /// How often the piece is sent, for floods: 0 is never, the largest number forever.
  std::uint64_t times{1};
};

/// What happens after the last piece. An answer that is cut or reset and has no pieces has no head either. To
/// a client an answer is complete as soon as its length has arrived, whatever happens after that.
enum class Ending : std::uint8_t {
  whole,  ///< a proper end, as HTTP prescribes
  cut,    ///< the connection is closed (FIN) without a proper end; for a body `until_close`, this is the end
  /// The connection is reset (RST). MockServer waits up to two seconds for the client's system to acknowledge
  /// what was sent before, where the system reports that (Linux, macOS); elsewhere the end of a large body
  /// may be lost.
  reset,
  silence,  ///< nothing more is sent, forever
};

/// How the end of the body is marked.
enum class BodyFraming : std::uint8_t {
  content_length,
  chunked,      ///< each piece is a chunk
  until_close,  ///< by closing the connection
};

/// One answer. With `raw`, MockServer sends those bytes instead of the usual status line and headers.
struct Reply {
  int status{200};
  std::vector<Header> headers{};
  std::vector<Piece> body{};     ///< the pieces, in order
  Ending ending{Ending::whole};  ///< what happens after the last piece
  /// The head is not sent before this gate is open. The request has been received by then.
  Optional<Gate> head_gate{};
  /// The head is not sent before this much time has passed since the request, on the transport's clock.
  std::chrono::milliseconds head_delay{};
  BodyFraming framing{BodyFraming::content_length};
  /// The value of Content-Length, if not the true one. A client waits for missing bytes and ignores further
  /// ones.
  Optional<std::uint64_t> claimed_length{};
  /// Sent unchanged, followed by `body` without framing and by `ending`. ScriptTransport refuses it.
  std::string raw{};
  /// ScriptTransport: the connection fails with this error. (MockServer already has a connection and resets
  /// it.)
  Optional<Error> unreachable{};

  /// A complete JSON answer.
  INFERWIRE_API static Reply json(std::string body, int status = 200);
  /// An error in OpenAI's form: {"error": {"message": ...}}.
  INFERWIRE_API static Reply error(int status, std::string_view message = "no");
  /// A stream of the given pieces, with media type text/event-stream, chunked.
  INFERWIRE_API static Reply stream(std::vector<std::string> pieces);
  /// Receives the request and never answers.
  INFERWIRE_API static Reply silence();
  /// MockServer: sends these bytes and closes the connection.
  INFERWIRE_API static Reply bytes(std::string raw);
  /// Resets the connection (RST) instead of answering. A client that sent the request on a reused connection
  /// repeats it once by itself, on a new connection, and so takes the next reply. To make the client see the
  /// reset, have it open a new connection: give the reply before this one `with("Connection", "close")`.
  INFERWIRE_API static Reply reset();
  /// ScriptTransport: the exchange fails with the error `why`. As with a real one, a client retries if its
  /// kind is connection or timeout, or if it is `retryable`.
  INFERWIRE_API static Reply fails(Error why);

  /// This reply with one more header, for example `with("Retry-After", "3")`.
  [[nodiscard("it is a copy")]] INFERWIRE_API Reply with(std::string name, std::string value) const;
  /// This reply with its body in pieces of `size` bytes (at least 1), `delay` apart, for example
  /// `in_pieces_of(1, 5ms)`. Drops gates, repetitions and claimed chunk sizes that are too small.
  [[nodiscard("it is a copy")]] INFERWIRE_API Reply in_pieces_of(std::size_t size,
                                                                 std::chrono::milliseconds delay = {}) const;
  /// This reply, cut off after this many bytes of its body, even inside an event, a character or a chunk.
  /// Content-Length and chunk sizes still announce the whole body. `how` is cut, reset or silence. Drops
  /// repetitions.
  [[nodiscard("it is a copy")]] INFERWIRE_API Reply cut_after(std::size_t bytes,
                                                              Ending how = Ending::cut) const;
};

}  // namespace inferwire::inline v0_1::testing
