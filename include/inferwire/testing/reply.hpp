/// \file
/// A scripted answer: ScriptTransport plays it in process, MockServer over a socket.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "inferwire/error.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/testing/gate.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::testing {

/// A part of a body that is sent on its own.
struct Piece {
  std::string bytes{};    ///< what is sent
  Optional<Gate> gate{};  ///< it is not sent before this gate is open
  /// Nor before this much time, by the transport's clock, has passed since the previous one.
  std::chrono::milliseconds delay{};
  /// The size that its chunk claims, if not the true one (MockServer, chunked). A chunk that is shorter than
  /// it claims stays open.
  Optional<std::uint64_t> claimed_size{};
  /// How often it is sent, for floods; the largest number means without end.
  std::uint64_t times{1};
};

/// What comes after the last piece. An answer that is cut or reset and has no piece has no head either. For a
/// client an answer is complete as soon as its length has arrived, whatever comes after that.
enum class Ending : std::uint8_t {
  whole,  ///< a proper end by HTTP
  cut,    ///< the connection is closed (FIN) without that end; of a body `until_close`, this is the end
  /// The connection is reset (RST). MockServer waits up to two seconds for the client's system to take what
  /// was sent before, if the system reports that (Linux, macOS); elsewhere a large body may lose its end.
  reset,
  silence,  ///< nothing, for ever
};

/// How the body's end is marked.
enum class BodyFraming : std::uint8_t {
  content_length,
  chunked,      ///< each piece a chunk of its own
  until_close,  ///< by closing the connection
};

/// One answer. With `raw`, MockServer sends those bytes in place of everything that HTTP prescribes.
struct Reply {
  int status{200};
  std::vector<Header> headers{};
  std::vector<Piece> body{};     ///< sent one after another
  Ending ending{Ending::whole};  ///< what comes after the last piece
  /// The head is not sent before this gate is open. The request has been received by then.
  Optional<Gate> head_gate{};
  /// Nor before this much time, by the transport's clock, has passed since the request.
  std::chrono::milliseconds head_delay{};
  BodyFraming framing{BodyFraming::content_length};
  /// The Content-Length, if not the true one. A client waits for what is missing and takes nothing beyond.
  Optional<std::uint64_t> claimed_length{};
  /// Sent as it is, followed by `body` without framing and by `ending`. ScriptTransport refuses it.
  std::string raw{};
  /// ScriptTransport: there is no connection, for this reason. (MockServer already has one and resets it.)
  Optional<Error> unreachable{};

  /// An answer as a whole.
  INFERWIRE_API static Reply json(std::string body, int status = 200);
  /// A refusal in OpenAI's form: {"error": {"message": ...}}.
  INFERWIRE_API static Reply error(int status, std::string_view message = "no");
  /// A stream of the given pieces: of media type text/event-stream, chunked.
  INFERWIRE_API static Reply stream(std::vector<std::string> pieces);
  /// Takes the request and never says anything.
  INFERWIRE_API static Reply silence();
  /// MockServer: these bytes, then the connection is closed.
  INFERWIRE_API static Reply bytes(std::string raw);
  /// Closes the connection with RST instead of answering. A client that sent the request on a connection it
  /// had kept repeats it once, unasked, on a new one, and takes the next reply. If it is to see the reset,
  /// have it connect anew: give the reply before this one `with("Connection", "close")`.
  INFERWIRE_API static Reply reset();
  /// ScriptTransport: the host could not be reached, for whatever reason `why` gives. A client retries if its
  /// kind is connection or timeout, as it would a real one, or if `why` is `retryable`.
  INFERWIRE_API static Reply fails(Error why);

  /// This reply with one more header, for example `with("Retry-After", "3")`.
  INFERWIRE_API Reply with(std::string name, std::string value) const;
  /// This reply with its body in pieces of `size` bytes (at least 1), `delay` apart: `in_pieces_of(1, 5ms)`
  /// drips. Drops gates, repetitions and chunk sizes that are too small.
  INFERWIRE_API Reply in_pieces_of(std::size_t size, std::chrono::milliseconds delay = {}) const;
  /// This reply, broken off after this many bytes of its body, wherever that is: inside an event, a character
  /// or a chunk. Length and chunks still promise the whole. `how` is cut, reset or silence. Drops
  /// repetitions.
  INFERWIRE_API Reply cut_after(std::size_t bytes, Ending how = Ending::cut) const;
};

}  // namespace inferwire::inline v0_1::testing
