/// \file
/// Extracts a container's body from the frames in which SageMaker streams it.
#pragma once

#include "protocol/framing/sagemaker_stream.hpp"

#include <string>
#include <string_view>

namespace inferwire_test {

inline std::string unframed(std::string_view bytes) {
  using inferwire::protocol::SageMakerStreamParser;
  SageMakerStreamParser parser;
  parser.feed(bytes);
  parser.finish();
  std::string out;
  inferwire::protocol::SageMakerEvent event;
  while (parser.next(event) == SageMakerStreamParser::Next::part) out += event.payload;
  return out;
}

}  // namespace inferwire_test
