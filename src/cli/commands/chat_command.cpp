// `inferwire chat`: one prompt, one answer; without a prompt a conversation.
#include "cli/answer.hpp"
#include "cli/answer_arguments.hpp"
#include "cli/checks.hpp"
#include "cli/commands/chat_session.hpp"
#include "cli/commands/commands.hpp"
#include "cli/connection.hpp"
#include "cli/terminal/terminal.hpp"
#include "inferwire/chat.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::cli {
namespace {

struct ChatArguments {
  Connection connection{};
  AnswerArguments answer{};
  std::optional<std::int64_t> max_completion_tokens{};  ///< instead of answer.max_tokens
  std::string system{};
  std::string prompt{};  ///< "-" reads standard input; empty: a conversation

  CLI::App* declare(CLI::App& program);
};

CLI::App* ChatArguments::declare(CLI::App& program) {
  auto* command = program.add_subcommand("chat", "Ask a model and print its answer as it arrives");
  connection.declare(*command);
  connection.declare_model(*command);
  answer.declare(*command);
  answer.declare_seed(*command);
  command
      ->add_option(
          "--max-completion-tokens", max_completion_tokens,
          "Like --max-tokens, but reasoning counts too; OpenAI's models from GPT-5 on require this one")
      ->check(&decimal<std::int64_t>)
      ->excludes("--max-tokens");
  command->add_option("--system", system, "The system message")->check(&not_empty);
  command
      ->add_option("prompt", prompt,
                   "The prompt; - reads it from standard input; without one, a conversation begins")
      ->check(&not_empty);
  return command;
}

/// Makes the call and prints the answer.
ExitCode run(const ChatArguments& arguments) {
  auto model = arguments.connection.model_for(Resource::chat);
  if (!model) return usage_error;
  chat::Request request{.model = *std::move(model),
                        .max_tokens = arguments.answer.max_tokens,
                        .max_completion_tokens = arguments.max_completion_tokens,
                        .temperature = arguments.answer.temperature,
                        .seed = arguments.answer.seed};
  if (!arguments.system.empty()) request.messages.push_back(chat::system(arguments.system));
  if (arguments.prompt.empty()) {
    if (is_interactive() && !arguments.answer.json) {
      const auto delivery = arguments.answer.stream ? Delivery::streamed : Delivery::whole;
      return ChatSession(arguments.connection.client(), request, delivery).run();
    }
    return fail("a prompt is required, or a terminal to have a conversation at");
  }
  auto prompt = text_or_input(arguments.prompt);
  if (!prompt) return usage_error;
  request.messages.push_back(chat::user(*std::move(prompt)));

  return print_answer(arguments.connection.client().chat, request, arguments.answer);
}

}  // namespace

Command chat_command(CLI::App& program) { return add<ChatArguments>(program); }

}  // namespace inferwire::inline v0_1::cli
