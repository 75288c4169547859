// A program whose statics make calls before and after main: in constructors, in destructors, and with calls
// in progress that nothing waits for. Exits with 0 if all is well.
#include <inferwire/engine/engine.hpp>
#include <inferwire/engine/engine_transport.hpp>
#include <inferwire/inferwire.hpp>

#include <cstdlib>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

using namespace inferwire;

namespace {

/// A request whose answer follows a pattern, and whose text is not only ASCII.
chat::Request request() {
  return {.model = "inferwire-toy",
          .messages = {chat::user("Grüße aus Köln, Zürich, Århus, Łódź und São Paulo")},
          .max_tokens = 40,
          .response_format = chat::ResponseFormat{
              .type = "json_schema",
              .json_schema = chat::JsonSchema{
                  .name = "year",
                  .schema = *inferwire::Json::parse(
                      R"({"type": "object", "properties": {"in": {"type": "string", "pattern": "^\\d{4}$"}},)"
                      R"( "required": ["in"], "additionalProperties": false})"),
                  .strict = true}}};
}

struct Session {
  Session() = default;
  ~Session() { ask(3); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Calls in each way; a call that fails ends the program with `code`.
  void ask(int code) {
    if (!client.chat.create(request()) || !client.chat.stream(request()).collect() ||
        !client.chat.start(request()).get()) {
      std::_Exit(code);
    }
    for (int i = 0; i < 4; ++i) under_way.push_back(client.chat.start(request()));
  }

  Client client{{.base_url = "http://localhost/v1",
                 .credential = inferwire::Credential::none(),
                 .transport = std::make_shared<inferwire::engine::EngineTransport>(
                     std::make_shared<inferwire::engine::Engine>())}};
  std::vector<inferwire::Pending<chat::Response>> under_way{};
};

/// The first static of the program is destroyed last: everything that the library creates is created later.
Session first;

struct Early {
  explicit Early(Session& session) { session.ask(2); }
} const early(first);

}  // namespace

int main() {
  std::thread([] { first.ask(4); }).join();
  first.ask(5);
}
