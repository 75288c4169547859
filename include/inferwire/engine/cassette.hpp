/// \file
/// Records the answers of a real service and replays them chunk by chunk.
///
/// A cassette is a text file of JSON lines, one per exchange: the request (method, target, headers, body),
/// the answer's status, HTTP version and headers, its body in the chunks in which it arrived, each with the
/// milliseconds since the request, and how it ended. "***" replaces
///  - the values of headers, except those known to be harmless and those in RecorderOptions::shown_headers;
///  - the values of query parameters with names such as "api-key", "access_token" or "sig", but not of
///    those that name a page ("page_token");
///  - strings and numbers in members of a request's JSON with names such as "authorization", "password" or
///    "client_secret", and in objects called "headers", which are for tool servers.
///
/// Everything else is written unchanged: paths, the text of users and models, JSON inside strings, URLs with
/// passwords in bodies, bodies that are not JSON, and the whole body of an answer. So read a cassette before
/// you share it.
///
///     auto recorder = engine::Recorder::open("weather.jsonl", network_transport()).value();
///     Client client({.transport = recorder});                                   // once, with a key
///
///     auto player = engine::CassettePlayer::open("weather.jsonl", {.speed = 0}).value();
///     Client client({.transport = std::make_shared<engine::EngineTransport>(player)});  // ever after
#pragma once

#include "inferwire/engine/service.hpp"
#include "inferwire/export.hpp"
#include "inferwire/forwarding.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/result.hpp"
#include "inferwire/transport.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// Options of a Recorder.
struct RecorderOptions {
  /// Names of further headers, case-insensitive, whose values are recorded and so replayed: {"x-team"}.
  std::vector<std::string> shown_headers{};
};

/// A transport that records the exchanges of another. Not recorded are exchanges that the caller abandons or
/// that a timer of the client ends, exchanges without an answer, and those that fetch a client's credential
/// (HttpRequest::confidential). A recording Proxy, on the other side of a socket, cannot recognise the last
/// kind and records it too. Several recorders, also of different programs, may append to one file. Safe from
/// any thread.
class INFERWIRE_API Recorder final : public ForwardingTransport {
 public:
  /// Appends to the file at `path`. Errors: config (no transport; a file that cannot be written; a file
  /// whose first line is no recording; or one whose last line is incomplete, which is left unchanged so that
  /// its contents can be rescued), unsupported (a system that is not POSIX).
  static Result<std::shared_ptr<Recorder>> open(const std::string& path, std::shared_ptr<Transport> transport,
                                                RecorderOptions options = {});
  ~Recorder() override;

  /// Why an exchange could not be recorded, for example because the disk is full. Its caller still got the
  /// answer; later calls fail with this error, so check it after the last call. Absent as long as the
  /// cassette is complete.
  Optional<Error> problem() const;

 private:
  struct State;
  Recorder(std::shared_ptr<Transport> transport, std::shared_ptr<State> state);
  Result<std::unique_ptr<Exchange>> start_at(Transport& inner, HttpRequest request, Sink& sink,
                                             const ExchangeOptions& options) override;

  std::shared_ptr<State> state_;
};

/// Options of a CassettePlayer.
struct PlayerOptions {
  /// How much faster than recorded the chunks arrive: 1 is the original speed, 2 twice that; 0: all at once.
  /// Default 1.
  double speed{1};
  /// JSON pointers of members that are ignored when requests are compared: "/user".
  std::vector<std::string> ignore{};
};

/// Replays recorded answers. A request is recognised by its method, its path with the query, and its body. A
/// JSON body is compared as JSON: the order of members, white space and secrets do not matter. If a request
/// was recorded several times, its answers are given in turn, then always the last. A request that was not
/// recorded is answered with 404 and a message that says where it differs from the most similar one. Safe
/// from any thread.
class INFERWIRE_API CassettePlayer final : public Service {
 public:
  /// Opens the cassette at `path`. Errors: config (the file cannot be read, or an option is out of range),
  /// decode (an invalid line, which the detail names).
  static Result<std::shared_ptr<CassettePlayer>> open(const std::string& path, PlayerOptions options = {});
  ~CassettePlayer() override;

  std::unique_ptr<Generation> start(const HttpRequest& request, TimePoint now) override;

 private:
  struct State;
  explicit CassettePlayer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Options of a Proxy.
struct ProxyOptions {
  /// Whether requests with a key are forwarded over plain http to a host that is not loopback. Off: they are
  /// answered with 400.
  bool allow_plain_http_key{false};
  /// What that answer says allows it: a program names its own option here.
  std::string allowed_by{"ProxyOptions::allow_plain_http_key"};
};

/// Answers requests by forwarding them; with a Recorder as its transport it is a recording proxy. Whether an
/// answer is a stream is known only when its head has arrived: until then, each step waits for it for a
/// moment. Safe from any thread.
class INFERWIRE_API Proxy final : public Service {
 public:
  /// `base_url` is put before the path of every request: "https://api.openai.com". Errors: config (no
  /// transport, or what is no base URL, or one with a query).
  static Result<std::shared_ptr<Proxy>> open(std::shared_ptr<Transport> transport, std::string_view base_url,
                                             ProxyOptions options = {});
  ~Proxy() override;

  std::unique_ptr<Generation> start(const HttpRequest& request, TimePoint now) override;

 private:
  Proxy(std::shared_ptr<Transport> transport, std::string base_url, std::string exposed_to,
        std::string allowed_by);

  std::shared_ptr<Transport> transport_;
  std::string base_url_;
  std::string exposed_to_;  // the host to which no key may go; empty: keys may go
  std::string allowed_by_;
};

}  // namespace inferwire::inline v0_1::engine
