// Requests in the words of providers' documents: the client sends what was asked, member for member.
#include "driver/operations.hpp"
#include "driver/vectors.hpp"
#include "support/catch.hpp"
#include "wire/vectors.hpp"

#include <nlohmann/json.hpp>

namespace {

using namespace inferwire_test;
using nlohmann::json;

}  // namespace

TEST_CASE("requests in the providers' documents are sent as documented") {
  for (const auto& vector : wire_index().at("requests")) {
    INFO(vector.at("id"));
    const auto path = vector.at("path").get<std::string>();
    const auto text = wire_file(vector);
    const auto value = json::parse(text, nullptr, false);
    const auto wanted = value.is_discarded() ? json() : value;
    const bool stream = wanted.value("stream", false) || path.ends_with("response-stream");

    const auto reply =
        inferwire_driver::answer({{"op", "request"},
                                  {"provider", dialect_of(vector)},
                                  {"endpoint", vector.at("endpoint")},
                                  {"mode", stream ? "stream" : "create"},
                                  {"value", wanted},
                                  {"options", {{"host", "https://example.test"}, {"path", path}}}});

    INFO(reply);
    REQUIRE(reply.value("ok", false));
    CHECK(reply.at("method") == vector.at("method"));
    const auto url = reply.at("url").get<std::string>();
    CHECK(url.substr(0, url.find('?')) == "https://example.test" + path);
    if (vector.at("method") == "GET") continue;
    auto sent = json::parse(inferwire_driver::bytes_of(reply.at("body_b64")));
    if (!wanted.contains("stream") && sent.value("stream", true) == false) sent.erase("stream");
    CHECK(sent == wanted);
  }
}
