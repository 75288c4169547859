/// \file
/// Requests, answers and threads of cpp-httplib in ours, and what it is worked around for. The only file that
/// includes httplib.h; versions 0.11 (Debian 12) to today's are served by the same code.
#pragma once

#include <httplib.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "inferwire/transport.hpp"
#include "server/connections.hpp"
#include "server/thread_pool.hpp"

namespace inferwire::inline v0_1::server {

using EnqueueResult =
    decltype(std::declval<httplib::TaskQueue&>().enqueue(std::declval<std::function<void()>>()));

/// cpp-httplib's own pool has a fixed number of threads from the start. `enqueue` answers nothing before 0.15
/// and a bool since.
class Queue final : public httplib::TaskQueue {
 public:
  explicit Queue(std::size_t limit) : pool_(limit) {}

  EnqueueResult enqueue(std::function<void()> job) override {
    pool_.run(std::move(job));
    return EnqueueResult(true);
  }
  void shutdown() override { pool_.join(); }
  bool is_crowded() { return pool_.is_crowded(); }

 private:
  ThreadPool pool_;
};

// --- What a request says ---

HttpRequest to_ours(const httplib::Request& from, const std::string& base_url, std::string body);

/// Clients of HTTP/1.0 know no chunks (RFC 9112, 6.1).
bool knows_chunks(const httplib::Request& from);

/// Whether the client says that it sends no further request.
bool says_close(const httplib::Request& from);

/// Whether the client's Content-Length is a single number. cpp-httplib 0.11 would read "0x10" as zero, and
/// the body as the next request.
bool tells_length(const httplib::Request& from);

/// Whether cpp-httplib would read the body by itself, without a limit, or leave it to be taken for the next
/// request, instead of handing it over piece by piece.
bool has_unreadable_body(const httplib::Request& from);

// --- What cpp-httplib is made to believe of a request ---

/// Lets it write "Connection: close" instead of "Keep-Alive": it does so when the client has said it.
void say_close(const httplib::Request& from);

/// Newer versions (0.41 was seen) read behind the answer what the handler has left of a body: where no length
/// is told until the client closes, further requests with it.
void say_that_nothing_is_left(const httplib::Request& from);

/// It would send the part of an answer that `Range` asks for, under the answer's own status.
void ignore_range(const httplib::Request& from);

/// It would compress an answer whose client takes that: a service's bytes are to arrive as it gives them, and
/// a compressor holds events back.
void ignore_codings(const httplib::Request& from);

// --- Answers ---

/// Sets status and headers; returns the Content-Type, which goes with the body.
std::string put_head(const ResponseHead& head, httplib::Response& to);

/// What a client that is cut off behind its answer takes for the end of it.
enum class EndMark : std::uint8_t { none, length, close };

/// Disconnects the client after the answer: any further data from it is not a request.
void send_and_close(const SocketAddress& listening_at, const httplib::Request& from, httplib::Response& to,
                    const std::string& type, std::string body, EndMark end);

/// Refuses what is not shown to the service, as an API of OpenAI's shape would.
void refuse(const SocketAddress& listening_at, const httplib::Request& from, httplib::Response& to,
            std::string_view message);

}  // namespace inferwire::inline v0_1::server
