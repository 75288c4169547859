/// \file
/// The file that records the progress of a batch: a line that names the job, then one for each finished
/// slice.
#pragma once

#include "base/fnv1a.hpp"
#include "client/batch/slice.hpp"
#include "inferwire/client.hpp"
#include "inferwire/error.hpp"
#include "json/codec.hpp"

#include <cstdint>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::client {

/// The hash of a job.
class JobHash {
 public:
  /// Adds `part`, and where it ends.
  void add(std::string_view part) noexcept;
  std::uint64_t value() const noexcept { return hash_.value(); }

 private:
  Fnv1a hash_;
};

/// Adds a request; one that cannot be encoded fails later, when it is sent.
template <class Request>
void add_request(JobHash& job, const Request& request) {
  const auto text = json::encode(request);
  job.add(text ? *text : text.error().path);
}
/// Adds the caller's changes to all requests.
void add_edits(JobHash& job, const CallOptions& options);

/// Why a file is read no further, asked before each line; std::nullopt: it is.
using WhyStopped = std::function<std::optional<Error>()>;

/// Call `open`, then `next` until there are no more entries or it fails, then `add`.
class BatchCheckpoint {
 public:
  /// Opens a file of the same job, or a new one. Errors: config, or that of `why_stopped`.
  Result<void> open(const std::string& path, const JobHash& job, const WhyStopped& why_stopped);

  struct Entry {
    Slice slice;
    Json answer;
  };
  /// The next finished slice; std::nullopt: there are no more. A line that is no entry, as left by a program
  /// that was killed while writing, is ignored. Errors: config.
  Result<std::optional<Entry>> next();

  /// Records the answer to a slice, a JSON text, before it returns. Errors: config.
  Result<void> add(const Slice& slice, std::string_view answer);

 private:
  Result<void> write(std::string_view line);

  std::string path_;
  std::ifstream in_;
  std::ofstream out_;
};

}  // namespace inferwire::inline v0_1::client
