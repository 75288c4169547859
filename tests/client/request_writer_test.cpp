#include "client/request_writer.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace inferwire;
using client::AnswerForm;
using client::BaseUrl;
using client::path_of;
using client::RequestWriter;

namespace {

const std::string user_agent = "inferwire/test";

}  // namespace

TEST_CASE("BaseUrl::read splits off the query and says whether keys may be sent") {
  const auto base = BaseUrl::read("https://h.test/v1/?api-version=2", false).value();
  CHECK(base.text == "https://h.test/v1");
  CHECK(base.query == "api-version=2");
  CHECK(base.keys_may_go);
  CHECK_FALSE(BaseUrl::read("http://h.test", false)->keys_may_go);
  CHECK(BaseUrl::read("http://h.test", true)->keys_may_go);
  CHECK(BaseUrl::read("http://127.0.0.1:1", false)->keys_may_go);
  CHECK(BaseUrl::read("h.test", false).error().kind == ErrorKind::config);
}

TEST_CASE("BaseUrl::with shortens the paths at a dedicated host, where the base URL's own path is ignored") {
  const std::vector<inferwire::DedicatedHosts> dedicated = {
      {.suffixes = {".gate.test", ".gate.example"}, .prefix = "/gate"}, {.suffixes = {".test"}}};
  const auto url = [&dedicated](const std::string& base, const std::string& path) {
    return BaseUrl::read("https://" + base, false, dedicated)->with(path);
  };
  CHECK(url("1.gate.test", "/gate/v1/chat") == "https://1.gate.test/v1/chat");
  CHECK(url("1.GATE.example:8443/", "/gate/v1/chat") == "https://1.gate.example:8443/v1/chat");
  CHECK(url("1.gate.test/v1?a=1", "/gate/v1/chat") == "https://1.gate.test/v1/chat");
  CHECK(url("1.gate.test/v1", "/v1/chat") == "https://1.gate.test/v1/chat");
  CHECK(url("1.gate.test", "/gate2/chat") == "https://1.gate.test/gate2/chat");
  CHECK(url("1.work.test/v1", "/gate/v1/chat") == "https://1.work.test/gate/v1/chat");
  for (const std::string other : {"gate.example", "1.gate.test.example", "h.example/1.gate.test"}) {
    CHECK(url(other, "/gate/v1/chat") == "https://" + other + "/gate/v1/chat");
  }
}

TEST_CASE("RequestWriter::write joins base URL, client options and call options") {
  const auto base = BaseUrl::read("https://h.test/v1?a=1", false).value();
  const ClientOptions options{.headers = {{"X-Team", "blue"}}};
  const RequestWriter writer(base, options, user_agent);
  const auto request = writer.write({.path = "/m%201/chat", .body = "{}"}, {.query = {{"b", "2"}}}).value();
  CHECK(request.method == "POST");
  CHECK(request.url == "https://h.test/v1/m%201/chat?a=1&b=2");
  CHECK(request.body == "{}");
  CHECK(find_header(request.headers, "x-team") == "blue");
  CHECK(find_header(request.headers, "user-agent") == user_agent);
  const auto tagged =
      writer.write({.path = "/x", .body = "{}"}, {.headers = {{"X-Team", "red"}, {"x-team", "green"}}})
          .value();
  CHECK(std::ranges::count(tagged.headers, Header{"X-Team", "red"}) == 1);
  CHECK(std::ranges::count(tagged.headers, Header{"x-team", "green"}) == 1);
  CHECK(std::ranges::count(tagged.headers, Header{"X-Team", "blue"}) == 0);
  CHECK(writer.write({.path = "/models"}, {}).value().method == "GET");
  CHECK(writer.write({.method = "POST", .path = "/models"}, {}).value().method == "POST");
  CHECK(writer.write({.path = "/x/{model}/y"}, {}).value().url == "https://h.test/v1/x/{model}/y?a=1");
}

TEST_CASE("RequestWriter puts the model's name into the path of an endpoint that has a place for it") {
  const Provider row{.name = "here"};
  CHECK(path_of(row, "chat", {.path = "/chat"}, "m 1", AnswerForm::whole) == "/chat");
  CHECK(path_of(row, "chat", {.path = "/{model}/chat"}, "m 1", AnswerForm::whole) == "/m%201/chat");
  CHECK(path_of(row, "chat", {.path = "/chat", .stream_path = "/{model}"}, "m", AnswerForm::stream) == "/m");
  const auto unsupported = path_of(row, "chat", {}, "m", AnswerForm::whole).error();
  CHECK(unsupported.kind == ErrorKind::unsupported);
  CHECK(unsupported.provider == "here");
  CHECK(unsupported.detail == "this provider has no endpoint for chat");
  CHECK(path_of(row, "chat", {.path = "/{model}"}, {}, AnswerForm::whole).error().param == "model");
  CHECK(path_of(row, "chat", {.path = "@other.test/"}, {}, AnswerForm::whole).error().kind ==
        ErrorKind::config);
}

TEST_CASE("RequestWriter::write refuses bad methods and paths") {
  const auto base = BaseUrl::read("https://h.test/v1", false).value();
  const ClientOptions options;
  const RequestWriter writer(base, options, user_agent);
  for (const auto& [method, path] :
       {std::pair("GET", "@other.test/"), std::pair("G T", "/x"), std::pair("", "/x")}) {
    CHECK(writer.write({.method = method, .path = path}, {}).error().kind == ErrorKind::invalid_request);
  }
}
