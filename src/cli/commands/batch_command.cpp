#include "cli/commands/batch_command.hpp"

#include "cli/answer.hpp"
#include "cli/checks.hpp"
#include "cli/commands/batch_lines.hpp"
#include "cli/commands/file_claim.hpp"
#include "cli/terminal/progress.hpp"

#include <CLI/CLI.hpp>

#include <cerrno>
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

/// Why `out` cannot take the answers to the requests in `in`; empty if it can.
std::string problem_with(const std::string& in, const std::string& out) {
  std::error_code unknown;
  if (out == "-") return "answers go to a file: a later run reads which there are";
  if (!std::filesystem::exists(out, unknown)) return {};
  if (!std::filesystem::is_regular_file(out, unknown)) return out + " is no file that answers can go to";
  if (same_file(in, out)) return out + " has the requests: name another file";
  return {};
}

/// Whether `line` may be the beginning of the first answer of a run that was interrupted while writing it.
bool begins_answer(std::string_view line) {
  return line.starts_with(answer_begins) || answer_begins.starts_with(line);
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; }

/// The ids of the requests whose answers are in the file of an earlier run. An incomplete last line is cut
/// off, so that the file ends with a line end. Nullopt, after printing an error, if it is another kind of
/// file.
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
  file.close();
  auto last = custom_id_of(line);
  const bool only_end_is_missing = !last.empty() && is_batch_answer(line);
  if (whole == 0 && !only_end_is_missing && !begins_answer(line)) {
    complain(path + " is no file of answers: it has no whole line");
    return std::nullopt;
  }
  bool ended = true;
  if (only_end_is_missing) {
    ids.insert(std::move(last));
    ended = static_cast<bool>(std::ofstream(path, std::ios::binary | std::ios::app) << '\n' << std::flush);
  } else if (!line.empty()) {
    std::filesystem::resize_file(path, whole, failure);
  }
  if (failure || !ended) {
    complain("cannot write " + path);
    return std::nullopt;
  }
  return ids;
}

std::size_t requests_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::size_t count = 0;
  for (std::string line; std::getline(file, line);) count += is_blank(line) ? 0 : 1;
  return count;
}

/// The document of an answer: an object, or the list in which a container returns rows. A page or an error is
/// not a document, whatever its status.
Result<Json> document_of(const RawResponse& answer) {
  auto document = answer.document();
  if (!document || document->is_object() || document->is_array()) return document;
  return Error{.kind = ErrorKind::decode,
               .detail = "the answer is neither an object nor a list",
               .status = answer.info.head.status};
}

/// Whether the body, of which only the beginning may be kept, is JSON, as errors of services are, and not the
/// page or text of another server.
bool is_json(std::string_view body) {
  const auto begin = body.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  return begin != body.npos && (body[begin] == '{' || body[begin] == '[');
}

/// The requests of a file that have no answer yet. In memory are only the requests in progress, and the ids.
class BatchFile final : public RawBatch {
 public:
  /// `progress` shows the progress; nullptr if the number of requests is unknown.
  BatchFile(std::istream& in, std::ofstream& out, Ids answered, Provider provider, ProgressBar* progress)
      : in_(in),
        out_(out),
        answered_(std::move(answered)),
        provider_(std::move(provider)),
        progress_(progress) {}

  bool next(RawRequest& request) override {
    for (std::string text; std::getline(in_, text);) {
      ++line_;
      if (is_blank(text)) continue;
      auto id = custom_id_of(text);
      if (auto answered = answered_.extract(id)) {
        seen_.insert(std::move(answered));
        ++before_;
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
    if (!out_) return;  // the batch was stopped: this says nothing about the request
    const auto text = batch_answer(line, id, answer);
    const bool can_be_read_again = is_batch_answer(text);
    auto read = answer.and_then(&document_of);
    if (read && !can_be_read_again) {
      read =
          Error{.kind = ErrorKind::decode, .detail = "the answer is nested too deeply for a line of a file"};
    }
    ++(read ? completed_ : failed_);
    if (!read) no_answer_ &= exit_code(read.error()) == transport_error;
    // A result that is not an answer to the request is left for the next run.
    if (!read && (!can_be_read_again || may_pass(read.error()))) {
      tell(line, "is left for another run: " + in_our_words(read.error()));
    } else if (!(out_ << text << std::flush)) {
      unwritten_ = std::generic_category().message(errno);
      stop_.cancel();
    }
    show_progress();
  }

  std::size_t completed() const noexcept { return completed_; }
  std::size_t failed() const noexcept { return failed_; }
  /// The program's exit status for the requests that failed.
  ExitCode failure() const noexcept { return no_answer_ ? transport_error : api_error; }
  /// Why an answer could not be written; empty if all could.
  const std::string& unwritten() const noexcept { return unwritten_; }
  /// Fires when answers can no longer be written.
  CancelToken stopped() const noexcept { return stop_.token(); }

 private:
  struct Open {
    std::size_t line{};
    std::string id{};
  };

  /// Whether the same request may succeed in another run. Only an error about the request itself is final,
  /// not that a server is down, or that the address or the key was wrong.
  static bool may_pass(const Error& error) noexcept {
    if (error.retryable || error.param == "model") return true;
    switch (error.kind) {
      case ErrorKind::invalid_request:
        return error.status != 0 && (error.status != 400 || !is_json(error.body));
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
    tell(line_, "is left out: " + error.detail);
    show_progress();
  }
  void tell(std::size_t line, const std::string& what) {
    if (progress_ != nullptr) progress_->clear();
    complain("line " + std::to_string(line) + " " + what);
  }
  void show_progress() {
    if (progress_ != nullptr) progress_->show(before_ + completed_ + failed_, failed_);
  }

  std::istream& in_;
  std::ofstream& out_;
  Ids answered_;  ///< in earlier runs, and not seen yet
  Ids seen_;
  Provider provider_;
  ProgressBar* progress_;
  std::size_t line_{};
  std::size_t count_{};
  std::map<std::size_t, Open> open_;
  std::size_t before_{};  ///< requests seen that were answered in earlier runs
  std::size_t completed_{};
  std::size_t failed_{};
  std::string unwritten_;
  bool no_answer_{true};  ///< to any of the failed requests
  CancelSource stop_;
};

/// The `request_counts` of OpenAI's batches, for this run; `before` is the number of answers of earlier runs.
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
  const FileClaim claim(arguments.out);
  if (claim.is_taken()) {
    complain(arguments.out + " is being written by another run");
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
  std::optional<ProgressBar> progress;
  // The lines of a pipe can be read only once.
  std::error_code unknown;
  const bool countable = from_file && std::filesystem::is_regular_file(arguments.in, unknown);
  if (countable) progress.emplace(requests_in(arguments.in));
  BatchFile batch(in, out, *std::move(answered), arguments.connection.row(), progress ? &*progress : nullptr);
  BatchOptions options{.in_flight = arguments.in_flight};
  options.call.cancel = batch.stopped();
  const auto done = request_all(arguments.connection.client(), batch, options);
  if (progress) progress->clear();
  const auto told = !arguments.json || print(counts(batch, before)) ? success : output_lost();
  if (!batch.unwritten().empty()) {
    complain("cannot write " + arguments.out + ": " + batch.unwritten());
    return usage_error;
  }
  if (in.bad()) {
    complain("cannot read " + arguments.in + " to its end");
    return usage_error;
  }
  if (!done) return fail(done.error());
  if (batch.failed() == 0) return told;
  complain(batch.failed() == 1 ? "1 request failed" : std::to_string(batch.failed()) + " requests failed");
  return batch.failure();
}

}  // namespace inferwire::inline v0_1::cli
