/// \file
/// What a batch does: which requests it makes, and what becomes of their answers.
#pragma once

#include "client/batch/slice.hpp"
#include "inferwire/client_options.hpp"
#include "inferwire/error.hpp"
#include "inferwire/pending.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <utility>

namespace inferwire::inline v0_1::client {

/// What is known about a batch before its first request.
struct BatchFacts {
  std::size_t inputs{};                ///< in all; 0: unknown
  std::size_t done{};                  ///< inputs with an answer from before
  std::size_t failed{};                ///< inputs that cannot be sent
  std::optional<Slice> done_before{};  ///< one of the inputs in `done`, if sampled
  bool alike{};                        ///< all requests name the same model and path
  bool sampled{};                      ///< rejected inputs may be representative of all others
  bool follows_results{};              ///< `next` may depend on the results so far
};

template <class Work>
concept BatchWork = requires(Work& work, const Work& seen, const Slice& slice, const Error& error,
                             const CallOptions& options, typename Work::Response answer) {
  { seen.facts() } -> std::same_as<BatchFacts>;
  { work.next() } -> std::same_as<std::optional<Slice>>;  // std::nullopt: there are no more
  { work.start(slice, options) } -> std::same_as<Pending<typename Work::Response>>;
  // An error: the answer is unusable, or there is no room for it (`why_over`).
  { work.keep(slice, std::move(answer)) } -> std::same_as<std::optional<Error>>;
  work.count(answer);  // an answer that is not kept: only its tokens count
  // Why no further answers can be kept or recorded; nullptr: they can.
  { seen.why_over() } -> std::same_as<const Error*>;
  work.fail(slice, error);
  work.give_up(slice, error);  // fails it with the error of another request
  work.give_up(error);         // likewise all slices that `next` has not returned
};

}  // namespace inferwire::inline v0_1::client
