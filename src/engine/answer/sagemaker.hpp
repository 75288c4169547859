/// \file
/// What SageMaker makes of a container's answer.
#pragma once

#include <memory>
#include <string>

#include "inferwire/engine/service.hpp"

namespace inferwire::inline v0_1::engine {

/// Hands on what the container answers: an answer as it is, with `in_frames` in an event stream whose parts
/// are as long as the container's pieces, and an error as the service's own, 424 with the container's inside.
/// A container that breaks off is an exception in the stream.
std::unique_ptr<Generation> behind_sagemaker(std::unique_ptr<Generation> container, bool in_frames,
                                             const std::string& request_id);

}  // namespace inferwire::inline v0_1::engine
