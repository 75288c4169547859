/// \file
/// What the errors of a batch say of the requests that have not been made.
#pragma once

#include <optional>

#include "inferwire/error.hpp"

namespace inferwire::inline v0_1::client {

/// Whether the request was too much at once.
bool is_too_large(const Error& error) noexcept;
/// Whether a single input may be why the request was rejected.
bool may_be_for_one_input(const Error& error) noexcept;
/// The error as other requests get it: without the body, which may be long.
Error without_body(Error error);

/// Decides by what it is told, and knows no request.
class BatchVerdict {
 public:
  /// The number of failures that tell something of all others.
  static constexpr int enough = 32;

  /// `answered`: an input, in a run before. `alike`: all requests ask the same model, at the same path.
  BatchVerdict(bool answered, bool alike) noexcept : answered_(answered), alike_(alike) {}

  void on_answer() noexcept { answered_ = answered_now_ = true; }
  /// A single input was rejected, maybe for what it is.
  void on_rejected_alone(const Error& error);
  /// A request has failed for good.
  void on_failure(const Error& error);
  /// Nothing new is to be begun, whatever else is known.
  void end(const Error& error) {
    if (!why_over_) why_over_ = error;
  }

  /// Whether any input has been answered: what is wrong is not the same with all then.
  bool answered() const noexcept { return answered_; }
  /// Inputs that are rejected alone are from all over the batch: where so many were and none was answered,
  /// hardly any will be.
  bool is_same_with_all() const noexcept { return !answered_ && rejected_alone_ >= enough; }
  /// The error of the last input that was rejected alone.
  const Error& rejection() const noexcept { return rejection_; }
  /// Why nothing new is begun; nothing: it is.
  const std::optional<Error>& why_over() const noexcept { return why_over_; }

 private:
  bool ends_all(const Error& error) noexcept;

  bool answered_;
  bool answered_now_{};  ///< in this run: what a server said in another tells nothing of its being there
  bool alike_;
  int rejected_alone_{};  ///< inputs, before any was answered
  Error rejection_;
  int failed_alike_{};  ///< requests, before any was answered in this run
  std::optional<Error> why_over_;
};

}  // namespace inferwire::inline v0_1::client
