#include "client/core.hpp"

#include "client/loop/loop.hpp"
#include "http/curl_transport.hpp"
#include "protocol/headers.hpp"
#include "protocol/redact.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::detail {

std::shared_ptr<Core> Core::make(ClientOptions options) {
  return std::shared_ptr<Core>(new Core(std::move(options)));
}

AuthReport Core::describe_auth() {
  auto report = configuration_.describe_auth();
  if (report.problem) return report;
  auto any_call = request({.path = "/"}, {});
  const auto sendable = any_call.and_then([&](HttpRequest& call) {
    const auto unsigned_headers = call.headers;
    if (report.method != "none") call.headers.push_back({"Authorization", "a key"});
    return check_request(call, unsigned_headers);
  });
  if (!sendable) report.problem = sendable.error();
  const auto* const curl = CurlTransport::in(transport());
  if (curl != nullptr && curl->problem()) report.problem = *curl->problem();
  if (report.problem) report.problem->provider = provider().name;
  return report;
}

Core::Core(ClientOptions of_client) : configuration_(std::move(of_client)) {
  if (options().loop) configuration_.use_clock(options().loop->loop().given_clock());
}

Result<std::shared_ptr<Loop>> Core::loop() {
  std::call_once(has_loop_, [this] {
    loop_ = options().loop;
    if (loop_) return;
    loop_ = std::make_shared<EventLoop>(EventLoopOptions{.clock = options().clock});
    own_loop_ = &loop_->loop();
  });
  auto loop = loop_->loop().shared_from_this();
  if (auto started = loop->start(); !started) return std::move(started).error();
  return loop;
}

bool Core::may_wait_for_user() const noexcept {
  const auto* const loop = options().loop ? &options().loop->loop() : own_loop_.load();
  return loop == nullptr || (!loop->is_here() && !loop->is_lost());
}

void Core::close() noexcept {
  configuration_.release_executor();
  if (!loop_) return;
  if (options().loop) {
    loop_->loop().leave(*this);
  } else {
    loop_->loop().stop();
  }
}

Result<HttpRequest> Core::request(client::RequestDraft&& draft, const CallOptions& options) {
  if (const auto& wrong = configuration_.resolve_once()) return *wrong;
  return configuration_.writer().write(std::move(draft), options);
}

void Core::note_own_authorization() {
  if (!logs(LogLevel::debug) || noted_authorization_.exchange(true)) return;
  log()->write(LogLevel::debug, "the header Authorization is the caller's own: no credential is asked");
}

Result<void> Core::check_request(const HttpRequest& request,
                                 const std::vector<Header>& unsigned_headers) const {
  // The library's own transport checks them itself.
  if (CurlTransport::in(transport()) == nullptr) {
    if (auto checked = protocol::check_headers(request.headers); !checked) return checked;
  }
  if (keys_may_go()) return {};
  const auto is_key = [&](const Header& header) {
    const bool is_of_credential = std::ranges::find(unsigned_headers, header) == unsigned_headers.end();
    return is_of_credential || protocol::is_secret_header(header.name) || configuration_.is_found_key(header);
  };
  const auto key = std::ranges::find_if(request.headers, is_key);
  const bool in_headers = key != request.headers.end();
  if (!in_headers && !protocol::has_secret_parameter(request.url)) return {};
  const bool is_found = in_headers && configuration_.is_found_key(*key);
  return configuration_.config("a key would be sent over plain http to " + base_url().host +
                               (is_found ? " (the environment's header " + key->name + " may be one)" : "") +
                               "; use https, or allow it by ClientOptions::allow_plain_http_key");
}

std::shared_ptr<const std::vector<Secret>> Core::share(const std::vector<std::string_view>& keys) {
  if (keys.empty()) return nullptr;
  const auto copy = [&keys] { return std::make_shared<const std::vector<Secret>>(keys.begin(), keys.end()); };
  const std::unique_lock lock(keys_mutex_, std::try_to_lock);
  // Nothing waits here: a child of fork() may have the mutex locked for ever.
  if (!lock) return copy();
  if (!last_keys_ || !std::ranges::equal(*last_keys_, keys, {}, &Secret::reveal)) last_keys_ = copy();
  return last_keys_;
}

}  // namespace inferwire::inline v0_1::detail
