// Asks a Large Model Inference container on Amazon SageMaker: requests are signed, and streams arrive in
// AWS's own frames. Keys and region are looked up as by AWS's own programs (the environment, ~/.aws, the
// container, the instance). Without AWS_REGION the embedded engine plays SageMaker, and checks the
// signatures.
//
//     AWS_REGION=eu-west-1 AWS_PROFILE=dev sagemaker --model my-endpoint "What is a tide?"
//
// Prints two answers to one question: the first as a whole, the second as it arrives.
#include "example.hpp"

using namespace inferwire;

namespace {
ClientOptions choose(const example::Arguments& arguments) {
  if (std::getenv("AWS_REGION")) {
    ClientOptions options{.provider = Provider::sagemaker()};
    if (!arguments.base_url.empty()) options.base_url = arguments.base_url;
    return options;
  }
  // These keys are the program's own; the engine gets them too.
  const SigV4Options keys{
      .access_key_id = "AKIDEXAMPLE", .secret_access_key = "not-so-secret", .region = "eu-west-1"};
  const engine::EngineOptions checking{.aws_keys =
                                           engine::AwsKeys{keys.access_key_id, keys.secret_access_key}};
  ClientOptions options{.provider = Provider::sagemaker(keys.region),
                        .base_url = arguments.base_url.empty() ? "http://localhost" : arguments.base_url,
                        .credential = Credential::sigv4(keys)};
  if (arguments.base_url.empty()) {
    options.transport = std::make_shared<engine::EngineTransport>(std::make_shared<engine::Engine>(checking));
  }
  return options;
}
}  // namespace

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "sagemaker [question]", "inferwire-toy");
  const Client client(choose(arguments));
  const chat::Request request{
      .model = arguments.model,  // the endpoint's name, which is a part of the URL
      .messages = {chat::user(arguments.words.empty() ? "What is a tide?" : arguments.words.front())},
      .max_tokens = 40,
  };

  // SageMaker's own headers are set for each call.
  const auto reply =
      client.chat.create(request, {.headers = {{"X-Amzn-SageMaker-Custom-Attributes", "trace=7"}}});
  if (!reply) return example::fail(reply.error());
  std::cout << "whole:    " << reply->text() << '\n';

  std::cout << "streamed: ";
  for (const auto& chunk : client.chat.stream(request)) {
    if (!chunk) return example::fail(chunk.error());
    std::cout << chunk->text() << std::flush;
  }
  std::cout << '\n';
}
