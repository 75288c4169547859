/// \file
/// The file of requests of `inferwire batch`, and that of their answers.
#pragma once

#include "cli/exit_code.hpp"
#include "cli/terminal/progress.hpp"
#include "inferwire/batch.hpp"
#include "inferwire/provider.hpp"

#include <cstddef>
#include <fstream>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

namespace inferwire::inline v0_1::cli {

using BatchIds = std::unordered_set<std::string>;

/// The ids of the requests whose answers are in the file of an earlier run. An incomplete last line is cut
/// off, so that the file ends with a line end. Nullopt, after printing an error, if it is another kind of
/// file.
std::optional<BatchIds> answered_in(const std::string& path);

/// The number of requests in a file.
std::size_t requests_in(const std::string& path);

/// The requests of a file that have no answer yet. In memory are only the requests in progress, and the ids.
class BatchFile final : public RawBatch {
 public:
  BatchFile(std::istream& in, std::ofstream& out, BatchIds answered, Provider provider, ProgressBar& progress)
      : in_(in),
        out_(out),
        answered_(std::move(answered)),
        provider_(std::move(provider)),
        progress_(progress) {}

  bool next(RawRequest& request) override;
  void on_answer(std::size_t number, Result<RawResponse> answer) override;

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

  void refuse(const Error& error);
  void tell(std::size_t line, const std::string& what);
  void show_progress();

  std::istream& in_;
  std::ofstream& out_;
  BatchIds answered_;  ///< in earlier runs, and not seen yet
  BatchIds seen_;
  Provider provider_;
  ProgressBar& progress_;
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

}  // namespace inferwire::inline v0_1::cli
