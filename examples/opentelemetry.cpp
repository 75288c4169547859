// Calls as spans, with the GenAI semantic conventions of OpenTelemetry
// (https://opentelemetry.io/docs/specs/semconv/gen-ai/). The tracer here prints its spans; put that of
// opentelemetry-cpp in its place.
//
// Prints three spans: of an answer, of a stream, and of a call that failed.
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
  /// What is not known is not said.
  void set(const std::string& key, std::string_view value) {
    if (!value.empty()) attributes_[key] = value;
  }
  void set(const std::string& key, std::int64_t value) { set(key, std::to_string(value)); }

 private:
  std::string name_;
  std::map<std::string, std::string> attributes_;
};

/// What a room's calls are called there.
std::string operation_of(std::string_view room) {
  if (room == "completions") return "text_completion";
  return room == "responses" ? "chat" : std::string(room);
}

class TracedCall final : public CallObserver {
 public:
  explicit TracedCall(const CallStart& call)
      : span_(operation_of(call.operation) + " " + std::string(call.model)) {
    span_.set("gen_ai.operation.name", operation_of(call.operation));
    span_.set("gen_ai.provider.name", call.provider);
    span_.set("gen_ai.request.model", call.model);
    span_.set("server.address", call.host);
    span_.set("server.port", call.port);
    for (const auto& [name, value] : call.settings) {
      if (name != "stream") span_.set("gen_ai.request." + std::string(name), value);
    }
  }

  void on_attempt(const AttemptStart& attempt, std::vector<Header>& add) noexcept override {
    if (attempt.number > 1) span_.set("http.request.resend_count", attempt.number - 1);
    add.push_back({"traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"});
  }

  void on_finish(const CallEnd& end) noexcept override {
    if (end.status != 0) span_.set("http.response.status_code", end.status);
    if (end.error != nullptr) span_.set("error.type", name(end.error->kind));
    span_.set("gen_ai.response.id", end.answer.id);
    span_.set("gen_ai.response.model", end.answer.model);
    for (const auto& reason : end.answer.finish_reasons) span_.set("gen_ai.response.finish_reasons", reason);
    if (end.answer.input_tokens) span_.set("gen_ai.usage.input_tokens", *end.answer.input_tokens);
    if (end.answer.output_tokens) span_.set("gen_ai.usage.output_tokens", *end.answer.output_tokens);
    if (const auto first = end.timings.first_event) span_.set("time_to_first_chunk_us", first->count());
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
