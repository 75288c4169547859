// Calls as spans, with the GenAI semantic conventions of OpenTelemetry
// (https://opentelemetry.io/docs/specs/semconv/gen-ai/). The tracer here prints its spans; put that of
// opentelemetry-cpp in its place.
#include "example.hpp"

#include <map>

using namespace inferwire;

namespace {

/// Stands in for opentelemetry::trace::Span.
class Span {
 public:
  explicit Span(std::string name) : name_(std::move(name)) {}
  ~Span() {
    std::cout << name_ << '\n';
    for (const auto& [key, value] : attributes_) std::cout << "  " << key << " = " << value << '\n';
  }
  void set(const std::string& key, std::string value) { attributes_[key] = std::move(value); }
  std::string traceparent() const { return "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"; }

 private:
  std::string name_;
  std::map<std::string, std::string> attributes_;
};

/// What a room's calls are called there.
std::string operation_of(std::string_view room) {
  if (room == "completions") return "text_completion";
  if (room == "embeddings") return "embeddings";
  return room == "chat" || room == "responses" ? "chat" : std::string(room);
}

class TracedCall final : public CallObserver {
 public:
  explicit TracedCall(const CallStart& call)
      : span_(operation_of(call.operation) + " " + std::string(call.model)) {
    span_.set("gen_ai.operation.name", operation_of(call.operation));
    span_.set("gen_ai.provider.name", std::string(call.provider));
    span_.set("gen_ai.request.model", std::string(call.model));
    span_.set("server.address", std::string(call.host));
    span_.set("server.port", std::to_string(call.port));
    for (const auto& [name, value] : call.settings) {
      if (name == "stream") continue;
      span_.set(name == "n" ? "gen_ai.request.choice.count" : "gen_ai.request." + std::string(name),
                std::string(value));
    }
  }

  void on_attempt(const AttemptStart& attempt, std::vector<Header>& add) noexcept override {
    if (attempt.number > 1) span_.set("http.request.resend_count", std::to_string(attempt.number - 1));
    add.push_back({"traceparent", span_.traceparent()});
  }

  void on_finish(const CallEnd& end) noexcept override {
    if (end.status != 0) span_.set("http.response.status_code", std::to_string(end.status));
    if (end.error != nullptr) span_.set("error.type", std::string(name(end.error->kind)));
    const auto& answer = end.answer;
    if (!answer.id.empty()) span_.set("gen_ai.response.id", answer.id);
    if (!answer.model.empty()) span_.set("gen_ai.response.model", answer.model);
    std::string reasons;
    for (const auto& reason : answer.finish_reasons) reasons += (reasons.empty() ? "" : ",") + reason;
    if (!reasons.empty()) span_.set("gen_ai.response.finish_reasons", reasons);
    if (answer.input_tokens) span_.set("gen_ai.usage.input_tokens", std::to_string(*answer.input_tokens));
    if (answer.output_tokens) span_.set("gen_ai.usage.output_tokens", std::to_string(*answer.output_tokens));
    if (const auto first = end.timings.first_event) {
      span_.set("time_to_first_chunk_us", std::to_string(first->count()));
    }
  }

 private:
  Span span_;  // ends with the call
};

class Tracer final : public Observer {
 public:
  std::unique_ptr<CallObserver> begin(const CallStart& call) noexcept override {
    return std::make_unique<TracedCall>(call);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "opentelemetry", "inferwire-toy");
  auto options = example::options(arguments);
  options.observer = std::make_shared<Tracer>();
  const Client client(options);
  const chat::Request request{.model = arguments.model,
                              .messages = {chat::user("Tell me about rivers.")},
                              .max_tokens = 8,
                              .temperature = 0.2};
  const bool answered = client.chat.create(request).has_value() && client.chat.stream(request).collect();
  const bool refused = !client.chat.create({.model = "no-such-model", .messages = {chat::user("Hello?")}});
  return answered && refused ? 0 : 1;
}
