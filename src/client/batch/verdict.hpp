/// \file
/// What the errors of a batch imply for requests that were not made yet.
#pragma once

#include "inferwire/error.hpp"

#include <cstddef>
#include <optional>

namespace inferwire::inline v0_1::client {

/// Whether the request was too large.
bool is_too_large(const Error& error) noexcept;
/// Whether a single input may be the reason for the rejection.
bool may_be_for_one_input(const Error& error) noexcept;
/// The error for other requests: without its body, which may be long.
Error without_body(Error error);

/// Judges by reported outcomes, without access to requests.
class BatchVerdict {
 public:
  /// The number of failures that suffice to judge all others.
  static constexpr int enough = 32;
  /// How many times as often as one request may be, a server has to refuse requests because of load.
  static constexpr int enough_refused = 8;

  /// `answered`: whether an earlier run has an answered input. `alike`: all requests name the same model and
  /// path.
  BatchVerdict(bool answered, bool alike) noexcept : answered_(answered), alike_(alike) {}

  /// A request was answered, and the answer can be used.
  void on_answer() noexcept {
    answered_ = true;
    ++answers_;
    rejected_alone_ = unusable_ = 0;
  }
  /// A single input was rejected, perhaps because of its content.
  void on_rejected_alone(const Error& error);
  /// A request has failed and will not be repeated.
  void on_failure(const Error& error);
  /// The server has refused requests because of load `in_a_row` times since an answer, where those of one
  /// epoch of the pacer count as one; `max_refusals`: see BatchOptions.
  void on_refusal(const Error& error, int in_a_row, int max_refusals);
  /// Requests have failed as in an outage `in_a_row` times, counted in the same way. It ends a batch that has
  /// answers, too.
  void on_outage(const Error& error, int in_a_row, int max_refusals);
  /// No new request is begun from now on.
  void end(const Error& error) {
    if (!why_over_) why_over_ = error;
  }

  /// Whether any input was answered: then the error does not affect all inputs.
  bool answered() const noexcept { return answered_; }
  /// Whether any input was answered in this run.
  bool answered_now() const noexcept { return answers_ > 0; }
  /// How many requests were answered in this run.
  std::size_t answers() const noexcept { return answers_; }
  /// Whether to expect that all other inputs are rejected: `enough` were rejected alone since an answer.
  bool is_same_with_all() const noexcept { return rejected_alone_ >= enough; }
  /// The error of the last input that was rejected alone.
  const Error& rejection() const noexcept { return rejection_; }
  /// Why no new request is begun; std::nullopt: they are.
  const std::optional<Error>& why_over() const noexcept { return why_over_; }

 private:
  bool ends_all(const Error& error) noexcept;

  bool answered_;
  std::size_t answers_{};  ///< in this run: those in an earlier one do not show that the server is reachable
  bool alike_;
  int rejected_alone_{};  ///< inputs, since the last answer
  int unusable_{};        ///< answers that cannot be used, since one that can
  Error rejection_;
  int failed_alike_{};  ///< requests, before any was answered in this run
  std::optional<Error> why_over_;
};

}  // namespace inferwire::inline v0_1::client
