#include "cli/commands/chat_session.hpp"

#include "cli/answer.hpp"
#include "cli/commands/conversation.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/terminal.hpp"

namespace inferwire::inline v0_1::cli {
namespace {

constexpr std::string_view help =
    "/model [NAME]   show or change the model\n"
    "/system [TEXT]  set the system message, or remove it\n"
    "/save FILE      write the conversation to a file, as JSON\n"
    "/load FILE      continue a conversation from a file\n"
    "/clear          start a new conversation\n"
    "/quit           leave, like Ctrl-D; Ctrl-C stops an answer\n";

void say(const Result<void>& done, const std::string& success) {
  print(dimmed(done ? success : done.error().detail) + "\n");
}

}  // namespace

ExitCode ChatSession::run() {
  print(dimmed("model " + request_.model + "; /help lists the commands") + "\n");
  LineReader reader;
  while (const auto line = reader.read("> ")) {
    if (line->empty()) continue;
    if (line->front() == '/') {
      if (!obey(*line)) break;
    } else {
      request_.messages.push_back(chat::user(*line));
      answer();
    }
  }
  return success;
}

bool ChatSession::obey(std::string_view line) {
  const auto space = line.find(' ');
  const auto command = line.substr(0, space);
  const std::string argument(space == line.npos ? "" : line.substr(space + 1));
  if (command == "/quit") return false;
  if (command == "/model") {
    if (!argument.empty()) request_.model = argument;
    print(dimmed("model " + request_.model) + "\n");
  } else if (command == "/system") {
    set_system(request_, argument);
    print(dimmed(argument.empty() ? "no system message" : "system message set") + "\n");
  } else if (command == "/save" && !argument.empty()) {
    say(save(request_, others_, argument), "written to " + argument);
  } else if (command == "/load" && !argument.empty()) {
    const auto loaded = load(request_, others_, argument);
    say(loaded, std::to_string(request_.messages.size()) + " messages, model " + request_.model);
  } else if (command == "/clear") {
    request_.messages.clear();
    others_.clear();
    print(dimmed("nothing has been said") + "\n");
  } else {
    print(help);
  }
  return true;
}

void ChatSession::answer() {
  const InterruptWatch interrupt;
  auto stream = client_.chat.stream(request_, {.cancel = interrupt.token()});
  std::string text;
  ForeignText words, thoughts;
  chat::Accumulator whole;
  bool reasons = false;
  while (const auto* chunk = stream.next()) {
    if (!*chunk) {
      const auto& error = chunk->error();
      const bool stopped = error.kind == ErrorKind::cancelled;
      print("\n" + dimmed(stopped ? "(stopped)" : in_our_words(error)) + "\n");
      keep(text);
      return;
    }
    whole.add(**chunk);
    if (const auto reasoning = (*chunk)->reasoning_text(); !reasoning.empty()) {
      reasons = true;
      print(dimmed(thoughts.shown(reasoning)));
    }
    const auto added = (*chunk)->text();
    if (!added.empty() && reasons) print("\n\n");
    if (!added.empty()) reasons = false;
    print(words.shown(added));
    text += added;
  }
  if (text.empty()) {
    const auto refusal = whole.take(true).refusal();
    if (reasons) print("\n\n");
    print(shown(refusal) + (refusal.empty() ? "" : "\n") + dimmed("(no answer: the question is forgotten)"));
  }
  print("\n");
  keep(text);
}

void ChatSession::keep(const std::string& text) {
  if (text.empty()) {
    request_.messages.pop_back();
  } else {
    request_.messages.push_back(chat::assistant(text));
  }
}

}  // namespace inferwire::inline v0_1::cli
