// The engine as the typed client sees it: a stream folds to the whole answer, and packed rows equal spelt
// ones.
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/engine/engine_transport.hpp"
#include "inferwire/models.hpp"
#include "support/catch.hpp"

#include <memory>

using namespace inferwire;

namespace {

/// A client of a new engine, whose first answer always has the same id.
Client client_of(Provider row = Provider::openai(), std::string base_url = "http://localhost/v1") {
  auto engine = std::make_shared<engine::Engine>(engine::EngineOptions{.created = 1'700'000'000});
  return Client({.provider = std::move(row),
                 .base_url = std::move(base_url),
                 .credential = Credential::none(),
                 .transport = std::make_shared<engine::EngineTransport>(std::move(engine))});
}
Client databricks() { return client_of(Provider::databricks(), "http://localhost"); }

}  // namespace

TEST_CASE("streamed and whole chats of one seed are equal objects") {
  const chat::Request requests[] = {
      {.model = "inferwire-toy", .messages = {chat::user("Rivers?")}, .max_tokens = 20, .seed = 1},
      {.model = "inferwire-toy",
       .messages = {chat::system("Be brief."), chat::user("The weather?")},
       .max_tokens = 12,
       .n = 3,
       .seed = 2,
       .logprobs = true,
       .top_logprobs = 2},
      {.model = "inferwire-toy",
       .messages = {chat::user("Bread?")},
       .max_tokens = 40,
       .stop = "the",
       .seed = 3}};
  for (auto request : requests) {
    const auto whole = client_of().chat.create(request);
    REQUIRE(whole);
    request.stream_options = StreamOptions{.include_usage = true};
    auto streamed = client_of().chat.stream(request).collect();
    REQUIRE(streamed);
    CHECK(streamed.response == *whole);
  }
}

TEST_CASE("streamed and whole completions of one seed are equal objects") {
  const auto options = StreamOptions{.include_usage = true};
  const completions::Request requests[] = {
      {.model = "inferwire-toy", .prompt = "The weather in the", .max_tokens = 20, .seed = 1},
      {.model = "inferwire-toy",
       .prompt = {"The weather", "Bread is"},
       .max_tokens = 9,
       .n = 2,
       .echo = true,
       .logprobs = 2,
       .seed = 2},
      {.model = "inferwire-toy", .prompt = "Once", .max_tokens = 40, .stop = "the", .seed = 3}};
  for (auto request : requests) {
    const auto whole = client_of().completions.create(request);
    REQUIRE(whole);
    request.stream_options = options;
    auto streamed = client_of().completions.stream(request).collect();
    REQUIRE(streamed);
    CHECK(streamed.response == *whole);
  }
}

TEST_CASE("a Databricks completion has its suffix, streamed or not") {
  const completions::Request request{.model = "pt-completion",
                                     .prompt = "Granite is",
                                     .max_tokens = 6,
                                     .suffix = " [end]",
                                     .echo = true,
                                     .use_raw_prompt = true};
  const auto whole = databricks().completions.create(request);
  REQUIRE(whole);
  CHECK(whole->text().starts_with("Granite is"));
  CHECK(whole->text().ends_with(" [end]"));
  const auto streamed = databricks().completions.stream(request).collect();
  REQUIRE(streamed);
  CHECK(streamed.response.choices == whole->choices);
}

TEST_CASE("embeddings in base64 equal those in numbers") {
  embeddings::Request request{.model = "inferwire-embed", .input = {"one stone", "two rivers"}};
  const auto packed = client_of().embeddings.create(request);
  request.encoding_format = embeddings::EncodingFormat::floats;
  const auto spelt = client_of().embeddings.create(request);
  REQUIRE(packed);
  REQUIRE(spelt);
  CHECK(*packed == *spelt);
  CHECK(packed->data.size() == 2);
  request.model = "databricks-bge-large-en";
  request.encoding_format.reset();
  const auto other_door = databricks().embeddings.create(request);
  REQUIRE(other_door);
  CHECK(other_door->data == spelt->data);
}

TEST_CASE("models.retrieve finds every model of models.list") {
  for (const auto& client : {client_of(), databricks()}) {
    const auto list = client.models.list();
    REQUIRE(list);
    REQUIRE(list->data.size() > 4);
    for (const auto& model : list->data) {
      const auto one = client.models.retrieve(model.request_name());
      REQUIRE(one);
      CHECK(*one == model);
    }
    const auto missing = client.models.retrieve("nobody");
    REQUIRE_FALSE(missing);
    CHECK(missing.error().kind == ErrorKind::not_found);
  }
}
