// A custom transport: requests go to a function of the program instead of a network. The contract that every
// transport keeps is at the top of inferwire/transport.hpp.
//
//     own_transport "Hello"
//
// Prints what the client sent, and the answer that the client returned.
#include "example.hpp"

#include <functional>

using namespace inferwire;

namespace {

using Answer = std::function<std::string(const HttpRequest&)>;

/// Answers in one piece when it is first driven.
class FunctionExchange final : public Exchange {
 public:
  FunctionExchange(std::string body, Sink& sink) : body_(std::move(body)), sink_(sink) {}

  Progress drive(TimePoint) override {
    if (done_) return Progress::ended;
    if (paused_) return Progress::deadline;
    done_ = true;
    sink_.on_connected();
    sink_.on_sent();
    sink_.on_head({.status = 200, .headers = {{"Content-Type", "application/json"}}});
    sink_.on_body(body_);
    sink_.on_end(nullptr);
    return Progress::ended;
  }
  void pause() override { paused_ = true; }
  void resume() override { paused_ = false; }

 private:
  std::string body_;
  Sink& sink_;
  bool paused_{};
  bool done_{};
};

class FunctionTransport final : public Transport {
 public:
  explicit FunctionTransport(Answer answer) : answer_(std::move(answer)) {}

  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink, const ExchangeOptions&) override {
    return std::make_unique<FunctionExchange>(answer_(request), sink);
  }
  void wake() noexcept override {}  // no exchange here ever waits

 private:
  Answer answer_;
};

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "own_transport [question]", "any");
  const Client client({.base_url = arguments.base_url.empty() ? "http://localhost/v1" : arguments.base_url,
                       .credential = Credential::none(),
                       .transport = std::make_shared<FunctionTransport>([](const HttpRequest& request) {
                         std::cout << request.method << ' ' << request.url << '\n'
                                   << request.body.text() << '\n';
                         return R"({"choices": [{"index": 0, "message": {"role": "assistant",
                                    "content": "I am a function."}, "finish_reason": "stop"}]})";
                       })});
  const auto reply = client.chat.create(
      {.model = arguments.model,
       .messages = {chat::user(arguments.words.empty() ? "Who are you?" : arguments.words[0])}});
  if (!reply) return example::fail(reply.error());
  std::cout << reply->text() << '\n';
}
