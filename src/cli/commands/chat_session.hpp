/// \file
/// `inferwire chat` without a prompt: a conversation at a terminal.
#pragma once

#include "cli/exit_code.hpp"
#include "cli/terminal/terminal.hpp"
#include "inferwire/cancel.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/json.hpp"
#include "inferwire/stream.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::cli {

/// How a conversation gets its answers.
enum class Delivery : std::uint8_t { streamed, whole };

/// Reads lines until Ctrl-D or `/quit`: a line that begins with a slash is a command, any other is sent to
/// the model with the conversation so far, as is a paste of several lines that begins with a slash, but not
/// with a command. Ctrl-C stops an answer and keeps what has arrived of it.
class ChatSession {
 public:
  ChatSession(Client client, chat::Request request, Delivery delivery)
      : client_(std::move(client)), request_(std::move(request)), delivery_(delivery) {}

  ExitCode run();

 private:
  /// Returns whether the conversation continues.
  bool obey(std::string_view line);
  void answer();
  /// Asks the model, and prints and returns what it answers; with an error, what has arrived of it.
  Collected<chat::Response> ask(const CancelToken& cancel) const;
  /// Keeps an answer. A question without one is removed, since it would disturb the next one.
  void keep(const std::string& text);

  Client client_;
  chat::Request request_;  // with the messages so far
  Extra others_{};         // members of the loaded file that are not sent, but saved
  LineReader reader_{};
  Delivery delivery_;
};

}  // namespace inferwire::inline v0_1::cli
