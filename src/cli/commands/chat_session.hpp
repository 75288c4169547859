/// \file
/// `inferwire chat` without a prompt: a conversation at a terminal.
#pragma once

#include <string>
#include <string_view>

#include "cli/exit_code.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"

namespace inferwire::inline v0_1::cli {

/// Reads lines until Ctrl-D or `/quit`: what begins with a slash is a command, everything else goes to the
/// model with all that was said before. Ctrl-C stops an answer and keeps what has come of it.
class ChatSession {
 public:
  ChatSession(Client client, chat::Request request)
      : client_(std::move(client)), request_(std::move(request)) {}

  ExitCode run();

 private:
  /// Returns whether the conversation goes on.
  bool obey(std::string_view line);
  void answer();
  /// Keeps an answer. A question without one would stand in the way of the next one, and goes.
  void keep(const std::string& text);

  Client client_;
  chat::Request request_;  // with the messages so far
};

}  // namespace inferwire::inline v0_1::cli
