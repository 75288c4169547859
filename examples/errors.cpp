// Shows what can go wrong, and how a program decides what to do about it.
//
// Prints each error's message, and advice.
#include "example.hpp"

#include <limits>

using namespace inferwire;

namespace {
std::string_view advice(const Error& error) {
  switch (error.kind) {
    case ErrorKind::auth: return "look at the key";
    case ErrorKind::config: return "look at the options";
    case ErrorKind::not_found: return "look at the model's name";
    case ErrorKind::invalid_request: return "look at the request";
    case ErrorKind::rate_limit:
    case ErrorKind::overloaded: return "wait";
    case ErrorKind::connection:
    case ErrorKind::timeout: return "look at the network";
    default: return error.retryable ? "try again" : "read the message";
  }
}

void show(const char* what, const Result<chat::Response>& reply) {
  std::cout << what << "\n  ";
  if (reply) {
    std::cout << "answered\n";
  } else {
    std::cout << reply.error().message() << "\n  -> " << advice(reply.error()) << '\n';
  }
}
}  // namespace

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "errors", "inferwire-toy");
  auto options = example::options(arguments);
  auto others = options;
  others.api_key = "another";
  others.credential = nullptr;
  if (options.transport) {  // gives the engine a key, so that there can be a wrong one
    const auto engine = std::make_shared<engine::Engine>(engine::EngineOptions{.api_key = "the-key"});
    options.transport = others.transport = std::make_shared<engine::EngineTransport>(engine);
    options.credential = Credential::bearer("the-key");
  }
  const Client client(options);
  const Client stranger(others);
  const Client lost({.base_url = "http://127.0.0.1:1/v1", .api_key = "the-key"});

  const chat::Request request{.model = arguments.model, .messages = {chat::user("Hello")}, .max_tokens = 8};
  auto nameless = request;
  nameless.model = "no-such-model";
  auto endless = request;
  endless.max_tokens = -1;
  auto nonsense = request;
  nonsense.temperature = std::numeric_limits<double>::quiet_NaN();

  show("The right key:", client.chat.create(request));
  show("A wrong key:", stranger.chat.create(request));
  show("A model that is not there:", client.chat.create(nameless));
  show("A parameter that the service refuses:", client.chat.create(endless));
  show("A parameter that cannot be sent:", client.chat.create(nonsense));
  show("A port where nobody listens:", lost.chat.create(request));
}
