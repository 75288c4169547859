/// \file
/// Answers of a real service, recorded once and replayed chunk for chunk.
///
/// A cassette is a text file of JSON lines, one per exchange: the request (method, target, headers, body),
/// the answer's status, version of HTTP and headers, its body in the chunks in which it came, each with the
/// milliseconds since the request, and how it ended. "***" stands for
///  - the values of headers, except those known to be harmless and RecorderOptions::shown_headers;
///  - the values of query parameters with names such as "api-key", "access_token" or "sig", but not of
///    those that name a page ("page_token");
///  - strings and numbers in members of a request's JSON with names such as "authorization", "password" or
///    "client_secret", and in "headers", which are meant for the servers of tools.
///
/// Everything else is written as it came: paths, what users and models say, JSON inside strings, URLs in
/// bodies with passwords in them, bodies that are not JSON, and the whole body of an answer. So read a
/// cassette before you give it to others.
///
///     auto recorder = engine::Recorder::open("weather.jsonl", network_transport()).value();
///     Client client({.transport = recorder});                                   // once, with a key
///
///     auto player = engine::CassettePlayer::open("weather.jsonl", {.speed = 0}).value();
///     Client client({.transport = std::make_shared<engine::EngineTransport>(player)});  // ever after
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "inferwire/engine/service.hpp"
#include "inferwire/export.hpp"
#include "inferwire/forwarding.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/result.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::engine {

/// Options of a Recorder.
struct RecorderOptions {
  /// Names of further headers, in any case, whose values are written, and so replayed: {"x-team"}.
  std::vector<std::string> shown_headers{};
};

/// A transport that records the exchanges of another one. Not recorded: exchanges that their caller abandons,
/// or that a timer of the client ends, those that never had an answer, and those by which a client fetches
/// its credential (HttpRequest::confidential). A Proxy, on the other side of a socket, cannot recognise the
/// latter and records them like anything else. Several recorders, in other programs too, may append to one
/// file. Safe from any thread.
class INFERWIRE_API Recorder final : public ForwardingTransport {
 public:
  /// Appends to the file at `path`. Errors: config (no transport, a file that cannot be written, or one whose
  /// last line is incomplete: it is left as it is, so that its content can be saved), unsupported (a system
  /// that is not POSIX).
  static Result<std::shared_ptr<Recorder>> open(const std::string& path, std::shared_ptr<Transport> transport,
                                                RecorderOptions options = {});
  ~Recorder() override;

  /// Why an exchange could not be written, for example a full disk. The caller still got its answer; later
  /// calls are refused with this error, so check it after the last one. Absent as long as the cassette is
  /// complete.
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
  /// How much faster than recorded the chunks come: 1 is the original time, 2 half of it; 0: at once. Default
  /// 1.
  double speed{1};
  /// JSON pointers of members that are ignored when requests are compared: "/user".
  std::vector<std::string> ignore{};
};

/// Replays the recorded answers. A request is recognised by its method, its path with the query, and its
/// body. If that is JSON it is compared as JSON: the order of members, white space and secrets do not matter.
/// Several recordings of one request are given in turn, then always the last. A request that was not recorded
/// is answered with 404, which says where it differs from the most similar one. Safe from any thread.
class INFERWIRE_API CassettePlayer final : public Service {
 public:
  /// Errors: config (the file cannot be read, or the options make no sense), decode (the line that is none).
  static Result<std::shared_ptr<CassettePlayer>> open(const std::string& path, PlayerOptions options = {});
  ~CassettePlayer() override;

  std::unique_ptr<Generation> start(const HttpRequest& request, TimePoint now) override;

 private:
  struct State;
  explicit CassettePlayer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Answers requests by forwarding them; with a Recorder as its transport it is a recording proxy. An answer
/// is not streamed until its head has arrived and says so: steps wait for it, each for a moment. Safe from
/// any thread.
class INFERWIRE_API Proxy final : public Service {
 public:
  /// `base_url` is put before the path of every request: "https://api.openai.com".
  Proxy(std::shared_ptr<Transport> transport, std::string base_url);
  ~Proxy() override;

  std::unique_ptr<Generation> start(const HttpRequest& request, TimePoint now) override;

 private:
  std::shared_ptr<Transport> transport_;
  std::string base_url_;
};

}  // namespace inferwire::inline v0_1::engine
