/// \file
/// How SageMaker passes on a container's answer.
#pragma once

#include "inferwire/engine/service.hpp"

#include <memory>
#include <string>

namespace inferwire::inline v0_1::engine {

/// Passes on the container's answer: unchanged or, if `in_frames`, in an event stream whose parts are as long
/// as the container's pieces; an error becomes one of the service: 424 with the container's inside. If the
/// container breaks off, the stream carries an exception.
std::unique_ptr<Generation> behind_sagemaker(std::unique_ptr<Generation> container, bool in_frames,
                                             const std::string& request_id);

}  // namespace inferwire::inline v0_1::engine
