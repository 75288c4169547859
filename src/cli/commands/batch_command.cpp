#include "cli/commands/batch_command.hpp"

#include "cli/answer.hpp"
#include "cli/commands/batch_lines.hpp"
#include "cli/terminal/progress.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <system_error>
#include <unordered_set>
#include <utility>

namespace inferwire::inline v0_1::cli {
namespace {

using Ids = std::unordered_set<std::string>;

/// Why `out` is no place for the answers to the requests in `in`; empty: it may be one.
std::string problem_with(const std::string& in, const std::string& out) {
  std::error_code unknown;
  if (out == "-") return "answers go to a file: a later run reads which there are";
  if (!std::filesystem::exists(out, unknown)) return {};
  if (!std::filesystem::is_regular_file(out, unknown)) return out + " is no file that answers can go to";
  if (std::filesystem::equivalent(in, out, unknown)) return out + " has the requests: name another file";
  return {};
}

/// Whether `line` may be the beginning of the first answer, written by a run that was ended in it.
bool begins_answer(std::string_view line) {
  return line.starts_with(answer_begins) || answer_begins.starts_with(line);
}

/// The ids of the requests whose answers a file of an earlier run has. The file is cut behind its last whole
/// line. Nothing, and a complaint, when it is something else.
std::optional<Ids> answered_in(const std::string& path) {
  Ids ids;
  std::ifstream file(path, std::ios::binary);
  std::error_code failure;
  if (!file && !std::filesystem::exists(path, failure) && !failure) return ids;
  std::uintmax_t whole = 0;
  std::string line;
  for (; std::getline(file, line) && !file.eof(); whole += line.size() + 1) {
    auto id = custom_id_of(line);
    if (id.empty() || !is_batch_answer(line)) {
      complain(path + " is no file of answers: it has a line without " +
               (id.empty() ? "custom_id" : "response"));
      return std::nullopt;
    }
    ids.insert(std::move(id));
  }
  if (!file.is_open() || file.bad()) {
    complain("cannot read " + path);
    return std::nullopt;
  }
  const auto size = std::filesystem::file_size(path, failure);
  if (!failure && whole == 0 && !begins_answer(line)) {
    complain(path + " is no file of answers: it has no whole line");
    return std::nullopt;
  }
  if (!failure && whole != size) std::filesystem::resize_file(path, whole, failure);
  if (failure) {
    complain("cannot write " + path);
    return std::nullopt;
  }
  return ids;
}

std::size_t lines_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::size_t count = 0;
  for (std::string line; std::getline(file, line);) ++count;
  return count;
}

/// The requests of a file that have no answer yet. Holds no more of it than what is under way, and the ids.
class BatchFile final : public RawBatch {
 public:
  BatchFile(std::istream& in, std::ofstream& out, Ids answered, Provider provider)
      : in_(in), out_(out), answered_(std::move(answered)), provider_(std::move(provider)) {}

  bool next(RawRequest& request) override {
    for (std::string text; std::getline(in_, text);) {
      ++line_;
      if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
      auto id = custom_id_of(text);
      if (auto answered = answered_.extract(id)) {
        seen_.insert(std::move(answered));
        continue;
      }
      auto line = read_batch_line(text, provider_);
      if (line && !seen_.insert(id).second) {
        line = Error{.kind = ErrorKind::invalid_request, .detail = "its custom_id came before"};
      }
      if (!line) {
        refuse(line.error());
        continue;
      }
      open_.emplace(count_++, Open{line_, std::move(id)});
      request = std::move(line->request);
      return true;
    }
    return false;
  }

  void on_answer(std::size_t number, Result<RawResponse> answer) override {
    const auto ended = open_.extract(number);
    const auto& [line, id] = ended.mapped();
    // A page or an error is no answer, whatever status it came with.
    const auto read = answer.and_then([](const RawResponse& whole) { return whole.document(); });
    ++(read ? completed_ : failed_);
    if (!read) no_answer_ &= exit_code(read.error()) == transport_error;
    // What is no answer to the request is left for the next run.
    if (!read && may_pass(read.error())) {
      complain("line " + std::to_string(line) + " is left for another run: " + in_our_words(read.error()));
      return;
    }
    if (!(out_ << batch_answer(line, id, answer) << std::flush)) stop_.cancel();
  }

  std::size_t completed() const noexcept { return completed_; }
  std::size_t failed() const noexcept { return failed_; }
  /// What the program's exit status says of those that failed.
  ExitCode failure() const noexcept { return no_answer_ ? transport_error : api_error; }
  /// Fires when no answer can be written any more.
  CancelToken stopped() const noexcept { return stop_.token(); }

 private:
  struct Open {
    std::size_t line{};
    std::string id{};
  };

  /// Whether the same request may fare better in another run. Only what is said of the request itself is its
  /// answer for good, and not that a server is down, or that it was asked at a wrong address or with a wrong
  /// key.
  static bool may_pass(const Error& error) noexcept {
    if (error.retryable) return true;
    switch (error.kind) {
      case ErrorKind::invalid_request: return error.status != 0 && error.status != 400;
      case ErrorKind::too_large:
      case ErrorKind::unprocessable:
      case ErrorKind::context_length:
      case ErrorKind::content_filter: return false;
      default: return true;
    }
  }
  void refuse(const Error& error) {
    ++failed_;
    no_answer_ = false;
    complain("line " + std::to_string(line_) + " is left out: " + error.detail);
  }

  std::istream& in_;
  std::ofstream& out_;
  Ids answered_;  ///< in runs before, and not seen yet
  Ids seen_;
  Provider provider_;
  std::size_t line_{};
  std::size_t count_{};
  std::map<std::size_t, Open> open_;
  std::size_t completed_{};
  std::size_t failed_{};
  bool no_answer_{true};  ///< to any of those
  CancelSource stop_;
};

/// What OpenAI's batches call so, of this run; `before` are the answers of earlier ones.
std::string counts(const BatchFile& batch, std::size_t before) {
  const auto completed = batch.completed(), failed = batch.failed();
  return "{\"request_counts\":{\"total\":" + std::to_string(completed + failed) +
         ",\"completed\":" + std::to_string(completed) + ",\"failed\":" + std::to_string(failed) +
         "},\"answered_before\":" + std::to_string(before) + "}\n";
}

}  // namespace

CLI::App* BatchArguments::declare(CLI::App& program) {
  auto* command =
      program.add_subcommand("batch", "Make the requests of a file, and write their answers to another");
  connection.declare(*command);
  command->add_option("--in-flight", in_flight, "Requests under way at a time")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000}))
      ->capture_default_str();
  command->add_flag("--json", json, "Print how many requests were answered, as JSON");
  command
      ->add_option("in", in, "Requests, one a line, as OpenAI's Batch API has them; - reads standard input")
      ->required();
  command
      ->add_option("out", out,
                   "Answers, one a line, in the order in which they come; what it has is not asked again")
      ->required();
  return command;
}

ExitCode run(const BatchArguments& arguments) {
  std::ifstream file;
  const bool from_file = arguments.in != "-";
  if (from_file) file.open(arguments.in);
  if (!file && from_file) {
    complain("cannot read " + arguments.in);
    return usage_error;
  }
  if (const auto problem = problem_with(arguments.in, arguments.out); !problem.empty()) {
    complain(problem);
    return usage_error;
  }
  auto answered = answered_in(arguments.out);
  if (!answered) return usage_error;
  std::ofstream out(arguments.out, std::ios::binary | std::ios::app);
  if (!out) {
    complain("cannot write " + arguments.out);
    return usage_error;
  }

  const auto before = answered->size();
  std::istream& in = from_file ? file : std::cin;
  BatchFile batch(in, out, *std::move(answered), arguments.connection.row());
  std::optional<ProgressBar> progress;
  // The lines of a pipe can be read only once.
  std::error_code unknown;
  const bool countable = from_file && std::filesystem::is_regular_file(arguments.in, unknown);
  if (countable) progress.emplace(lines_in(arguments.in), before);
  BatchOptions options{.in_flight = arguments.in_flight, .observer = progress ? &*progress : nullptr};
  options.call.cancel = batch.stopped();
  const auto done = request_all(arguments.connection.client(), batch, options);
  progress.reset();
  if (arguments.json) print(counts(batch, before));
  if (!out) {
    complain("cannot write " + arguments.out);
    return usage_error;
  }
  if (in.bad()) {
    complain("cannot read " + arguments.in + " to its end");
    return usage_error;
  }
  if (!done) return fail(done.error());
  if (batch.failed() == 0) return success;
  complain(batch.failed() == 1 ? "1 request failed" : std::to_string(batch.failed()) + " requests failed");
  return batch.failure();
}

}  // namespace inferwire::inline v0_1::cli
