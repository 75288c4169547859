#include "cli/commands/chat_session.hpp"

#include "cli/answer.hpp"
#include "cli/commands/conversation.hpp"
#include "cli/terminal/foreign_text.hpp"
#include "cli/terminal/output.hpp"

#include <algorithm>
#include <iterator>

namespace inferwire::inline v0_1::cli {
namespace {

constexpr std::string_view blanks = " \t\n";
constexpr std::string_view command_words[] = {"/model", "/system", "/save", "/load",
                                              "/clear", "/quit",   "/help"};

constexpr std::string_view help =
    "/model [NAME]   show or change the model\n"
    "/system [TEXT]  set the system message, or remove it\n"
    "/save FILE      write the conversation to a file, as JSON\n"
    "/load FILE      continue a conversation from a file\n"
    "/clear          start a new conversation\n"
    "/quit           leave, like Ctrl-D; Ctrl-C stops an answer\n";

std::string_view without_blanks_before(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(blanks), text.size()));
}

std::string_view without_blanks_behind(std::string_view text) {
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// Whether a text is for the program, and not for the model: a pasted question may begin with a slash, too.
bool is_command(std::string_view text) {
  if (!text.starts_with('/')) return false;
  return text.find('\n') == text.npos ||
         std::ranges::find(command_words, text.substr(0, text.find_first_of(blanks))) !=
             std::end(command_words);
}

void say(const std::string& remark) { print(dimmed(remark) + "\n"); }

void say(const Result<void>& done, const std::string& success) { say(done ? success : done.error().detail); }

/// Prints an answer in pieces, its reasoning dimmed.
class AnswerPrinter {
 public:
  void add(const std::string& reasoning, const std::string& text) {
    if (!reasoning.empty()) print(dimmed(thoughts_.shown(reasoning)));
    reasons_ = reasons_ || !reasoning.empty();
    if (text.empty()) return;
    if (std::exchange(reasons_, false)) print("\n\n");
    print(words_.shown(text));
  }

 private:
  ForeignText words_{};
  ForeignText thoughts_{};
  bool reasons_{};  // the last piece was reasoning
};

}  // namespace

ExitCode ChatSession::run() {
  say("model " + request_.model + "; /help lists the commands");
  while (const auto line = reader_.read("> ")) {
    if (line->find_first_not_of(blanks) == line->npos) continue;
    if (is_command(*line)) {
      if (!obey(without_blanks_behind(*line))) break;
    } else {
      request_.messages.push_back(chat::user(*line));
      answer();
    }
  }
  return success;
}

bool ChatSession::obey(std::string_view line) {
  const auto gap = line.find_first_of(blanks);
  const auto command = line.substr(0, gap);
  const std::string text(gap == line.npos ? "" : line.substr(gap + 1));
  const std::string argument(without_blanks_before(text));
  if (command == "/quit") return false;
  if (command == "/model") {
    if (!argument.empty()) request_.model = argument;
    say("model " + request_.model);
  } else if (command == "/system") {
    set_system(request_, text);
    say(text.empty() ? "no system message" : "system message set");
  } else if (command == "/save" && !argument.empty()) {
    say(save(request_, others_, argument), "written to " + argument);
  } else if (command == "/load" && !argument.empty()) {
    const auto loaded = load(request_, others_, argument);
    say(loaded, std::to_string(request_.messages.size()) + " messages, model " + request_.model);
  } else if (command == "/clear") {
    request_.messages.clear();
    others_.clear();
    say("nothing has been said");
  } else {
    print(help);
  }
  return true;
}

void ChatSession::answer() {
  const InterruptWatch interrupt;
  const auto answer = ask(interrupt.token());
  const auto text = answer.response.text();
  keep(text);
  if (answer.error) {
    const bool stopped = answer.error->kind == ErrorKind::cancelled;
    if (stopped) reader_.forget_typed();
    print("\n");
    say(stopped ? "(stopped)" : in_our_words(*answer.error));
    return;
  }
  if (text.empty()) {
    const auto refusal = answer.response.refusal();
    if (!answer.response.reasoning_text().empty()) print("\n\n");
    print(shown(refusal) + (refusal.empty() ? "" : "\n"));
  } else {
    print("\n");
  }
  const auto remark = ending_of(answer.response, !text.empty()).remark;
  if (!remark.empty()) say("(" + std::string(remark) + ")");
  if (text.empty()) say("(no answer: the question is forgotten)");
}

Collected<chat::Response> ChatSession::ask(const CancelToken& cancel) const {
  AnswerPrinter printer;
  if (delivery_ == Delivery::streamed) {
    return client_.chat.stream(request_, {.cancel = cancel}).collect([&printer](const chat::Chunk& chunk) {
      printer.add(chunk.reasoning_text(), chunk.text());
    });
  }
  auto response = client_.chat.create(request_, {.cancel = cancel});
  if (!response) return {.error = std::move(response).error()};
  printer.add(response->reasoning_text(), response->text());
  return {.response = *std::move(response)};
}

void ChatSession::keep(const std::string& text) {
  if (text.empty()) {
    request_.messages.pop_back();
  } else {
    request_.messages.push_back(chat::assistant(text));
  }
}

}  // namespace inferwire::inline v0_1::cli
