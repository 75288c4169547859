#include "protocol/framing/sse_writer.hpp"

#include "support/catch.hpp"

using inferwire::protocol::append_event;

TEST_CASE("an event is written with a data line for every line of its data") {
  const auto [data, event] = GENERATE(table<std::string, std::string>({
      {"{\"a\":1}", "data: {\"a\":1}\n\n"},
      {"", "data: \n\n"},
      {"one\ntwo", "data: one\ndata: two\n\n"},
      {"one\r\ntwo\rthree\n", "data: one\ndata: two\ndata: three\ndata: \n\n"},
  }));
  std::string out = "before ";
  append_event(out, data);
  CHECK(out == "before " + event);
}

TEST_CASE("an event that has a name says it first") {
  std::string out;
  append_event(out, "{}", "response.created");
  CHECK(out == "event: response.created\ndata: {}\n\n");
}
