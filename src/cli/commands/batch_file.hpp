/// \file
/// The file of requests of `inferwire batch`, and that of their answers.
#pragma once

#include "cli/commands/batch_lines.hpp"
#include "cli/exit_code.hpp"
#include "cli/terminal/progress.hpp"
#include "inferwire/batch.hpp"
#include "inferwire/provider.hpp"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace inferwire::inline v0_1::cli {

using BatchIds = std::unordered_set<std::string>;
/// The answers of earlier runs, by the ids of their requests.
using BatchAnswers = std::unordered_map<std::string, EarlierAnswer>;

/// The answers in the file of an earlier run. An incomplete last line is cut off, so that the file ends with
/// a line end. Nullopt, after printing an error, if it is another kind of file, or cannot be read or written.
std::optional<BatchAnswers> answered_in(const std::string& path);

/// The number of requests in a file.
std::size_t requests_in(const std::string& path);

/// The requests of a file that have no answer yet. In memory are only the requests in progress, all ids, and
/// a hash and a flag for each earlier answer.
class BatchFile final : public RawBatch {
 public:
  BatchFile(std::istream& in, std::ofstream& out, BatchAnswers answered, Provider provider,
            ProgressBar& progress)
      : in_(in),
        out_(out),
        answered_(std::move(answered)),
        provider_(std::move(provider)),
        progress_(progress) {}

  bool next(RawRequest& request) override;
  void on_answer(std::size_t number, Result<RawResponse> answer) override;

  /// The requests that were not sent, because earlier runs answered them.
  struct Before {
    std::size_t count{};
    std::size_t errors{};         ///< how many of the answers are errors
    std::size_t changed{};        ///< how many of the requests are written differently now
    std::size_t first_changed{};  ///< the line of the first of these
  };
  const Before& before() const noexcept { return before_; }
  /// How many requests were read.
  std::size_t requests() const noexcept { return requests_; }
  std::size_t completed() const noexcept { return completed_; }
  std::size_t failed() const noexcept { return failed_; }
  /// The program's exit status for the requests that failed.
  ExitCode failure() const noexcept { return no_answer_ ? transport_error : api_error; }
  /// Why the requests could not be read to the end; empty if they could.
  const std::string& unread() const noexcept { return unread_; }
  /// Why an answer could not be written; empty if all could.
  const std::string& unwritten() const noexcept { return unwritten_; }
  /// Fires when answers can no longer be written.
  CancelToken stopped() const noexcept { return stop_.token(); }

 private:
  struct Open {
    std::size_t line{};
    std::uint64_t hash{};
    std::string id{};
  };

  void skip(const EarlierAnswer& answer, std::uint64_t hash);
  void refuse(const Error& error);
  void tell(std::size_t line, const std::string& what);
  void show_progress();

  std::istream& in_;
  std::ofstream& out_;
  BatchAnswers answered_;  ///< in earlier runs, and not seen yet
  BatchIds seen_;
  Provider provider_;
  ProgressBar& progress_;
  std::size_t line_{};
  std::size_t count_{};
  std::map<std::size_t, Open> open_;
  Before before_;
  std::size_t requests_{};
  std::size_t completed_{};
  std::size_t failed_{};
  std::string unread_;
  std::string unwritten_;
  bool no_answer_{true};  ///< to any of the failed requests
  CancelSource stop_;
};

}  // namespace inferwire::inline v0_1::cli
