// `inferwire batch`: a file of requests in, a file of answers out, both in the format of OpenAI's Batch API.
#include "cli/answer.hpp"
#include "cli/checks.hpp"
#include "cli/commands/batch_file.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/file_claim.hpp"
#include "cli/commands/in_flight.hpp"
#include "cli/connection.hpp"
#include "cli/terminal/progress.hpp"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>

namespace inferwire::inline v0_1::cli {
namespace {

struct BatchArguments {
  Connection connection{};
  std::string in{};   ///< JSON lines; "-" reads standard input
  std::string out{};  ///< appended to; requests with an answer in it are not sent again
  std::size_t in_flight{8};
  bool json{};

  CLI::App* declare(CLI::App& program);
};

/// Why `out` cannot take the answers to the requests in `in`; empty if it can.
std::string problem_with(const std::string& in, const std::string& out) {
  std::error_code unknown;
  if (out == "-") return "answers go to a file: a later run reads which there are";
  if (!std::filesystem::exists(out, unknown)) return {};
  if (!std::filesystem::is_regular_file(out, unknown)) return out + " is no file that answers can go to";
  if (same_file(in, out)) return out + " has the requests: name another file";
  return {};
}

/// The `request_counts` of OpenAI's batches, for this run; `before` is the number of answers of earlier runs.
std::string counts(const BatchFile& batch, std::size_t before) {
  const auto completed = batch.completed(), failed = batch.failed();
  return "{\"request_counts\":{\"total\":" + std::to_string(completed + failed) +
         ",\"completed\":" + std::to_string(completed) + ",\"failed\":" + std::to_string(failed) +
         "},\"answered_before\":" + std::to_string(before) + "}\n";
}

/// Reports the requests that were not sent.
void report(const BatchFile::Before& before, std::size_t all, const std::string& out) {
  if (before.count == 0) return;
  auto text = std::to_string(before.count) + " of " + std::to_string(all);
  text += all == 1 ? " request" : " requests";
  text += (before.count == 1 ? " has an answer in " : " have answers in ") + out + " already";
  if (before.errors == 1) text += " (1 is an error)";
  if (before.errors > 1) text += " (" + std::to_string(before.errors) + " are errors)";
  complain(text);
  if (before.changed == 0) return;
  const auto line = "line " + std::to_string(before.first_changed);
  complain("warning: " +
           (before.changed == 1
                ? line + " is written differently than when it was answered, and was not sent again"
                : std::to_string(before.changed) + " of them, the first in " + line +
                      ", are written differently than when they were answered, and were not sent again"));
}

CLI::App* BatchArguments::declare(CLI::App& program) {
  auto* command =
      program.add_subcommand("batch", "Send the requests in a file, and write the answers to another");
  connection.declare(*command);
  declare_in_flight(*command, in_flight);
  command->add_flag("--json", json, "Print how many requests were answered, as JSON");
  command
      ->add_option("in", in,
                   "File of requests in OpenAI's batch format, one per line; - reads standard input")
      ->required()
      ->check(&not_empty);
  command
      ->add_option(
          "out", out,
          "File to append the answers to, as they arrive; requests that it answers are not sent again")
      ->required()
      ->check(&not_empty);
  return command;
}

/// Sends the requests of one file as it is read, and writes their answers to the other as they arrive.
ExitCode run(const BatchArguments& arguments) {
  std::ifstream file;
  const bool from_file = arguments.in != "-";
  if (from_file) file.open(arguments.in);
  if (!file && from_file) return not_read(arguments.in);
  if (const auto problem = problem_with(arguments.in, arguments.out); !problem.empty()) return fail(problem);
  const FileClaim claim(arguments.out);
  if (claim.is_taken()) return usage_error;
  auto answered = answered_in(arguments.out);
  if (!answered) return usage_error;
  auto out = open_to_append(arguments.out);
  if (!out) return not_written(arguments.out);

  const auto before = answered->size();
  std::istream& in = from_file ? file : std::cin;
  // The lines of a pipe can be read only once.
  std::error_code unknown;
  const bool countable = from_file && std::filesystem::is_regular_file(arguments.in, unknown);
  ProgressBar progress(countable ? requests_in(arguments.in) : 0);
  BatchFile batch(in, out, *std::move(answered), arguments.connection.row(), progress);
  BatchOptions options{.max_in_flight = arguments.in_flight, .observer = &progress};
  options.call.cancel = batch.stopped();
  const auto done = request_all(arguments.connection.client(), batch, options);
  progress.clear();
  if (done) report(batch.before(), batch.requests(), arguments.out);
  const auto told = !arguments.json || print(counts(batch, before)) ? success : output_lost();
  if (!batch.unwritten().empty()) return fail("cannot write " + arguments.out + ": " + batch.unwritten());
  if (!batch.unread().empty()) return fail("cannot read " + arguments.in + " to its end: " + batch.unread());
  if (!done) return fail(done.error());
  if (batch.failed() == 0) return told;
  complain(batch.failed() == 1 ? "1 request failed" : std::to_string(batch.failed()) + " requests failed");
  return batch.failure();
}

}  // namespace

Command batch_command(CLI::App& program) { return add<BatchArguments>(program); }

}  // namespace inferwire::inline v0_1::cli
