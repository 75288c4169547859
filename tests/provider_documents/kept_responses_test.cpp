// Kept responses, from the client to the engine, through both doors.
#include "inferwire/client.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "provider_documents/doors.hpp"
#include "support/catch.hpp"

#include <string>
#include <vector>

using namespace inferwire_test;
namespace responses = inferwire::responses;

namespace {

Client client_of(const Door& door) {
  return Client(
      {.base_url = door.url + "/v1", .credential = Credential::none(), .transport = door.transport});
}

const responses::Request rivers{.model = "inferwire-toy", .input = "Tell me about rivers."};

}  // namespace

TEMPLATE_TEST_CASE("a response is kept, gone on from, listed and removed", "[kept_responses]", InProcess,
                   OverHttp) {
  const auto& door = inferwire_test::door<TestType>("");
  const auto room = client_of(door).responses;
  const auto first = room.create(rivers);
  REQUIRE(first);
  CHECK(first->store == true);
  CHECK(room.retrieve(first->id).value() == *first);

  const auto second =
      room.create({.model = "inferwire-toy", .input = "Why?", .previous_response_id = first->id});
  REQUIRE(second);
  const auto items = room.list_input_items(second->id, {.query = {{"order", "asc"}, {"limit", "2"}}});
  REQUIRE(items);
  REQUIRE(items->data.size() == 2);
  CHECK(std::get<responses::Message>(items->data[0]).text() == "Tell me about rivers.");
  CHECK(items->data[1] == first->output[0]);
  CHECK(items->has_more);
  const auto rest =
      room.list_input_items(second->id, {.query = {{"order", "asc"}, {"after", items->last_id}}});
  REQUIRE(rest);
  CHECK(std::get<responses::Message>(rest->data.at(0)).text() == "Why?");

  CHECK(room.remove(first->id).value().deleted);
  CHECK(room.retrieve(first->id).error().kind == ErrorKind::not_found);
  const auto lost =
      room.create({.model = "inferwire-toy", .input = "Well?", .previous_response_id = first->id});
  CHECK(lost.error().code == "previous_response_not_found");
}

TEMPLATE_TEST_CASE("the stream of a response in the background goes on where it broke", "[kept_responses]",
                   InProcess, OverHttp) {
  const auto& door = inferwire_test::door<TestType>("");
  const auto room = client_of(door).responses;
  auto request = rivers;
  request.background = true;
  std::string id, text;
  Optional<std::int64_t> last;
  const auto take = [&](const responses::Event& event) {
    if (const auto* state = event.get_if<responses::LifecycleEvent>()) id = state->response.id;
    const auto number = event.sequence_number();
    REQUIRE(number == last.value_or(-1) + 1);
    last = number;
    text += event.text();
  };
  {
    auto stream = room.stream(request);
    for (int i = 0; i < 9; ++i) {
      const auto* event = stream.next();
      REQUIRE(event);
      REQUIRE(*event);
      take(**event);
    }
  }
  auto rest = room.resume(id, last);
  for (const auto& event : rest) {
    REQUIRE(event);
    take(*event);
  }
  CHECK(rest.end_reason() == EndReason::done);
  const auto whole = room.retrieve(id);
  REQUIRE(whole);
  CHECK(whole->status == responses::ResponseStatus::completed);
  CHECK(text == whole->output_text());
  CHECK(room.resume(id).collect().response == *whole);
  CHECK(room.cancel(id).value() == *whole);
}

TEMPLATE_TEST_CASE("a response in the background is made, polled for, and cancelled", "[kept_responses]",
                   InProcess, OverHttp) {
  const auto& door = inferwire_test::door<TestType>("");
  const auto room = client_of(door).responses;
  auto request = rivers;
  request.background = true;
  const auto queued = room.start(request).get();
  REQUIRE(queued);
  CHECK(queued->status == responses::ResponseStatus::queued);
  const auto other = room.create(request);
  REQUIRE(other);
  CHECK(room.start_cancel(other->id).get().value().status == responses::ResponseStatus::cancelled);
  CHECK(room.retrieve(other->id).value().status == responses::ResponseStatus::cancelled);
  CHECK(room.start_retrieve(queued->id).get().value().status == responses::ResponseStatus::completed);
}
