/// \file
/// Translates cpp-httplib's requests, answers and threads into ours, and works around its defects. The only
/// file that includes httplib.h; the same code supports versions 0.11 (Debian 12) to the current one.
#pragma once

#include "inferwire/transport.hpp"
#include "server/connections.hpp"
#include "server/thread_pool.hpp"

#include <httplib.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::server {

using EnqueueResult =
    decltype(std::declval<httplib::TaskQueue&>().enqueue(std::declval<std::function<void()>>()));

/// Runs what cpp-httplib has to do on a pool of ours, which must outlive it: cpp-httplib's own has a fixed
/// number of threads from the start. `enqueue` returns void before 0.15 and a bool since.
class Queue final : public httplib::TaskQueue {
 public:
  explicit Queue(ThreadPool& pool) : pool_(pool) {}

  EnqueueResult enqueue(std::function<void()> job) override {
    pool_.run(std::move(job));
    return EnqueueResult(true);
  }
  void shutdown() override {}  // the pool's owner joins its threads

 private:
  ThreadPool& pool_;
};

// --- What a request says ---

HttpRequest to_ours(const httplib::Request& from, const std::string& base_url, std::string body);

/// Clients of HTTP/1.0 do not know chunked encoding (RFC 9112, 6.1).
bool knows_chunks(const httplib::Request& from);

/// Whether the client announces that it sends no further request.
bool says_close(const httplib::Request& from);

/// Whether the head says at most once, and in a form that everybody reads alike, where the body ends (RFC
/// 9112, 6.3): otherwise cpp-httplib may take for the next request what a proxy before the server takes for a
/// body. Version 0.11 would also read a length of "0x10" as zero.
bool tells_end_of_body(const httplib::Request& from);

/// Whether cpp-httplib would read the whole body itself, without a limit, or leave it to be parsed as the
/// next request, instead of passing it on piece by piece.
bool has_unreadable_body(const httplib::Request& from);

// --- Changes to a request that control cpp-httplib ---

/// Makes it write "Connection: close" instead of "Keep-Alive", which it does if the client sent that.
void say_close(const httplib::Request& from);

/// After the answer, newer versions (seen in 0.41) read the rest of a body that the handler left: if it has
/// no length, until the client closes, swallowing further requests.
void say_that_nothing_is_left(const httplib::Request& from);

/// Otherwise it would read and drop a whole body, however long, whose length is more than a size_t holds: on
/// 32-bit machines from 4 GiB on. For requests with a length.
void cap_length(const httplib::Request& from);

/// Otherwise it would send only the part of an answer that `Range` asks for, with the answer's own status.
void ignore_range(const httplib::Request& from);

/// The path of every request for cpp-httplib's routes.
inline constexpr const char* only_path = "/";
/// Otherwise its routes would match the path with std::regex, which takes stack for every character: a few
/// hundred are too many for a thread of musl.
void ignore_path(const httplib::Request& from);

/// Otherwise it would compress answers for clients that accept it: a service's bytes must arrive unchanged,
/// and a compressor delays events.
void ignore_codings(const httplib::Request& from);

// --- Answers ---

/// Sets status and headers; returns the Content-Type, which goes with the body.
std::string put_head(const ResponseHead& head, httplib::Response& to);

/// How much of a request's body was received.
enum class Body : std::uint8_t { whole, cut };

/// How a client that is disconnected after its answer recognises the end of it.
enum class EndMark : std::uint8_t { none, length };

/// Disconnects the client after the answer. The rest of a body that was cut is not a request: it is dropped
/// first, for which the connection at `listening_at` is searched for among all descriptors.
void send_and_close(const SocketAddress& listening_at, const httplib::Request& from, Body received,
                    httplib::Response& to, const std::string& type, std::string body, EndMark end);

/// Refuses a request that the service never sees, with an error of OpenAI's form.
void refuse(const SocketAddress& listening_at, const httplib::Request& from, httplib::Response& to,
            std::string_view message);

}  // namespace inferwire::inline v0_1::server
