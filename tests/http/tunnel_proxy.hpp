/// \file
/// A proxy that opens tunnels, with CONNECT or SOCKS 5, for clients that know its password.
#pragma once

#include "support/quiet_listener.hpp"
#include "support/raw_socket.hpp"

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace inferwire_test {

/// Connects every tunnel to one loopback port, whatever host is requested. Serves one connection at a time.
class TunnelProxy {
 public:
  enum class Kind { connect, socks5 };
  struct Login {
    std::string user;
    std::string password;
    std::string basic;  ///< "user:password" in base64
  };

  /// A CONNECT proxy opens at most `tunnels`.
  TunnelProxy(Kind kind, int target, Login login, std::size_t tunnels = 100)
      : kind_(kind), target_(target), login_(std::move(login)), tunnels_(tunnels), thread_([this] {
          run();
        }) {}
  ~TunnelProxy() {
    // Its own connection ends the wait for the next client.
    stopping_ = true;
    { const RawSocket last(listener_.port()); }
    thread_.join();
  }
  TunnelProxy(const TunnelProxy&) = delete;
  TunnelProxy& operator=(const TunnelProxy&) = delete;

  /// The address as "127.0.0.1:PORT".
  std::string place() const { return listener_.place(); }
  /// The targets, as "host:port", that clients with the right password requested.
  std::vector<std::string> asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

 private:
  void run() {
    for (;;) {
      RawSocket client = RawSocket::owning(listener_.accept());
      if (stopping_) return;
      const bool good = kind_ == Kind::connect ? greet_http(client) : greet_socks(client);
      if (!good) continue;
      RawSocket server(target_);
      relay(client, server);
    }
  }

  /// Answers "CONNECT host:port HTTP/1.1".
  bool greet_http(RawSocket& client) {
    const auto head = client.read_until("\r\n\r\n");
    if (head.find("Proxy-Authorization: Basic " + login_.basic + "\r\n") == head.npos) {
      client.write(
          "HTTP/1.1 407 Who are you?\r\nProxy-Authenticate: Basic realm=\"x\"\r\n"
          "Content-Length: 0\r\n\r\n");
      return false;
    }
    const auto begin = head.find(' ') + 1;
    note(head.substr(begin, head.find(' ', begin) - begin));
    if (asked().size() > tunnels_) {
      client.write("HTTP/1.1 503 No more\r\nContent-Length: 0\r\n\r\n");
      return false;
    }
    return client.write("HTTP/1.1 200 Go on\r\n\r\n");
  }

  /// Answers according to RFC 1928, with user and password of RFC 1929, and names that the proxy resolves.
  bool greet_socks(RawSocket& client) {
    const auto methods = client.read_exactly(2);
    client.read_exactly(number(methods[1]));
    client.write("\x05\x02");  // the method with user and password
    const auto text = [&client] { return client.read_exactly(number(client.read_exactly(1)[0])); };
    client.read_exactly(1);
    const auto user = text();
    const auto password = text();
    const bool known = user == login_.user && password == login_.password;
    client.write(known ? std::string("\x01\0", 2) : std::string("\x01\x01", 2));
    if (!known) return false;
    const auto request = client.read_exactly(4);
    constexpr char is_name = 3;
    if (request[3] != is_name) return false;
    const auto host = text();
    const auto port = client.read_exactly(2);
    note(host + ":" + std::to_string(number(port[0]) * 256 + number(port[1])));
    return client.write(std::string("\x05\0\0\x01\0\0\0\0\0\0", 10));
  }

  static std::size_t number(char byte) { return static_cast<unsigned char>(byte); }

  void note(std::string place) {
    const std::lock_guard lock(mutex_);
    asked_.push_back(std::move(place));
  }

  /// Relays bytes until one side closes, or none arrive for ten seconds.
  static void relay(RawSocket& client, RawSocket& server) {
    for (;;) {
      pollfd ends[] = {{client.descriptor(), POLLIN, 0}, {server.descriptor(), POLLIN, 0}};
      if (::poll(ends, 2, 10'000) <= 0) return;
      if (ends[0].revents != 0 && !pass_on(client, server)) return;
      if (ends[1].revents != 0 && !pass_on(server, client)) return;
    }
  }
  static bool pass_on(RawSocket& from, RawSocket& to) {
    const auto bytes = from.read();
    return !bytes.empty() && to.write(bytes);
  }

  const Kind kind_;
  const int target_;
  const Login login_;
  const std::size_t tunnels_;
  QuietListener listener_;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;  // guards the members below
  std::vector<std::string> asked_;
  std::thread thread_;  // the last member: it uses the others
};

}  // namespace inferwire_test
