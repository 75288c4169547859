/// \file
/// Runs a batch on the thread that called it.
#pragma once

#include "client/batch/work.hpp"
#include "inferwire/batch.hpp"
#include "inferwire/client.hpp"
#include "inferwire/result.hpp"

namespace inferwire::inline v0_1::client {

/// Runs a batch from beginning to end. An error that stops it, also while the checkpoint is read, becomes the
/// error of the inputs that it stops, and is returned.
Result<void> run_batch(const Client& client, const BatchOptions& options, BatchWork& work);

}  // namespace inferwire::inline v0_1::client
