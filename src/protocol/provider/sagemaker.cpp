// A separate file, so that only programs that name this row link its authentication.
#include "inferwire/provider.hpp"
#include "protocol/aws.hpp"

#include <utility>

namespace inferwire::inline v0_1 {

Provider Provider::sagemaker(std::string region) {
  const Route invocations{.path = "/endpoints/{model}/invocations",
                          .model_in_body = false,
                          .stream_path = "/endpoints/{model}/invocations-response-stream"};
  return {.name = "sagemaker",
          .base_url = protocol::with_region("https://runtime.sagemaker.{region}.amazonaws.com", region),
          .chat = invocations,
          .completions = invocations,
          .embeddings = invocations,
          .auth = {.scheme = &auth_scheme::sigv4, .service = "sagemaker", .region = std::move(region)},
          // On this path Accept is for the service itself; this header is passed to the container.
          .stream = {.framing = Framing::json_lines,
                     .accept_header = "X-Amzn-SageMaker-Accept",
                     .accept = "application/jsonlines"},
          .rules = RuleSet::lmi,
          .embeddings_input = "inputs"};
}

}  // namespace inferwire::inline v0_1
