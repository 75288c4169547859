// Records calls as spans by OpenTelemetry's GenAI conventions; replace this tracer, which prints, by that of
// opentelemetry-cpp. A call may begin on another thread, so its parent is passed as its context. Prints four
// spans: an answer's, a stream's, a failed call's, and that of their parent.
#include "example.hpp"

#include <map>

using namespace inferwire;

namespace {
/// Stands in for opentelemetry::trace::Span. Leaves out texts that are empty.
struct Span {
  ~Span() {
    std::cout << name << '\n';
    for (const auto& [key, value] : attributes) std::cout << "  " << key << " = " << value << '\n';
  }
  void set(const std::string& key, std::string_view value) {
    if (!value.empty()) attributes[key] = value;
  }
  void add(const std::string& key, const std::string& value) {
    set(key, attributes[key].empty() ? value : attributes[key] + ", " + value);
  }
  void set(const std::string& key, std::int64_t value) { attributes[key] = std::to_string(value); }

  std::string name;
  std::map<std::string, std::string> attributes{};
};

std::string operation_of(std::string_view room) {
  return room == "completions" ? "text_completion" : room == "responses" ? "chat" : std::string(room);
}

struct TracedCall final : CallObserver {
  explicit TracedCall(const CallStart& call)
      : span{operation_of(call.operation) + " " + std::string(call.model)} {
    if (const auto* parent = static_cast<const Span*>(call.context.get())) span.set("parent", parent->name);
    span.set("gen_ai.operation.name", operation_of(call.operation));
    span.set("gen_ai.provider.name", call.provider);
    span.set("gen_ai.request.model", call.model);
    span.set("server.address", call.host);
    span.set("server.port", call.port);
    for (const auto& setting : call.settings) {
      if (setting.name != "stream") span.set("gen_ai.request." + std::string(setting.name), setting.value);
    }
  }

  void on_attempt(const AttemptStart&, std::vector<Header>& add) noexcept override {
    add.push_back({"traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"});
  }

  void on_finish(const CallEnd& end) noexcept override {
    if (end.status != 0) span.set("http.response.status_code", end.status);
    if (end.error != nullptr) span.set("error.type", name(end.error->kind));
    span.set("gen_ai.response.id", end.answer.id);
    span.set("gen_ai.response.model", end.answer.model);
    for (const auto& reason : end.answer.finish_reasons) span.add("gen_ai.response.finish_reasons", reason);
    if (end.answer.input_tokens) span.set("gen_ai.usage.input_tokens", *end.answer.input_tokens);
    if (end.answer.output_tokens) span.set("gen_ai.usage.output_tokens", *end.answer.output_tokens);
    if (const auto first = end.timings.first_event) span.set("time_to_first_chunk_us", first->count());
  }
  Span span;  // ends with the call
};

struct Tracer final : Observer {
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
  const chat::Request rivers{.model = arguments.model, .messages = {chat::user("Rivers?")}, .max_tokens = 8};
  const CallOptions here{.context = std::shared_ptr<Span>(new Span{"GET /rivers"})};  // the current span
  const bool answered = client.chat.start(rivers, here).get() && client.chat.stream(rivers, here).collect();
  return answered && !client.chat.create({.model = "no-such-model"}, here) ? 0 : 1;
}
