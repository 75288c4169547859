// Runs every line of the documents' checklist (tests/fixtures/documents/checklist.json) in process, and every
// eighth over HTTP, since same_answers_test.cpp shows that both doors give the same answers. A line has
// probes, or has the probes of another line, named by `as`, or is `open` and says why.
#include "provider_documents/doors.hpp"
#include "support/catch.hpp"
#include "support/fixtures.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

using namespace inferwire_test;
using Document = nlohmann::json;
using Pointer = Document::json_pointer;

namespace {

const Document& checklist() {
  static const auto lines = Document::parse(fixture("documents/checklist.json"));
  return lines;
}

/// The line that has the probes of `line`: mostly `line` itself.
const Document& probed_line(const Document& line) {
  if (!line.contains("as")) return line;
  for (const auto& other : checklist()) {
    if (other["id"] == line["as"]) return other;
  }
  throw std::runtime_error("no such line: " + line["as"].dump());
}

/// Expands the repetitions in a document: "~repeat word  9000" stands for "word " 9,000 times.
Document spelt_out(Document body) {
  if (!body.is_structured()) {
    if (!body.is_string()) return body;
    const auto text = body.get<std::string>();
    if (!text.starts_with("~repeat ")) return body;
    const auto last = text.rfind(' ');
    const auto what = text.substr(8, last - 8);
    std::string out;
    for (int i = std::stoi(text.substr(last)); i > 0; --i) out += what;
    return out;
  }
  for (auto& member : body) member = spelt_out(member);
  return body;
}

HttpRequest request_of(const Document& probe, const Document& body) {
  HttpRequest request{.method = probe.value("method", "POST"), .url = probe["path"]};
  const auto headers = probe.value("headers", Document::object());
  for (const auto& [name, value] : headers.items()) {
    request.headers.push_back({name, value});
  }
  if (body.is_null()) return request;
  if (!find_header(request.headers, "content-type")) {
    request.headers.push_back({"content-type", "application/json"});
  }
  request.body = body.is_string() ? body.get<std::string>() : spelt_out(body).dump();
  return request;
}

/// Whether a value is as the checklist wants it: equal, or of the kind that a word with a tilde names.
bool is_as_wanted(const Document& answer, const Pointer& pointer, const Document& wanted) {
  const bool there = answer.contains(pointer);
  if (!wanted.is_string() || !wanted.get_ref<const std::string&>().starts_with('~')) {
    return there && answer.at(pointer) == wanted;
  }
  const std::string word = wanted;
  if (word == "~absent") return !there;
  if (!there) return false;
  const auto& value = answer.at(pointer);
  const auto rest = [&word](const char* kind) { return word.substr(std::string(kind).size()); };
  if (word == "~string") return value.is_string();
  if (word == "~number") return value.is_number();
  if (word == "~integer") return value.is_number_integer();
  if (word == "~positive") return value.is_number_integer() && value > 0;
  if (word == "~list") return value.is_array();
  if (word == "~object") return value.is_object();
  if (word == "~1024") return value.is_array() && value.size() == 1024;
  if (!value.is_string()) return false;
  const std::string text = value;
  if (word.starts_with("~without ")) return text.find(rest("~without ")) == text.npos;
  if (word.starts_with("~begins ")) return text.starts_with(rest("~begins "));
  if (word.starts_with("~ends ")) return text.ends_with(rest("~ends "));
  if (word.starts_with("~json")) {  // an object with the members that follow
    const auto object = Document::parse(text, nullptr, false);
    std::istringstream names(rest("~json"));
    bool good = object.is_object();
    for (std::string name; names >> name;) good = good && object.contains(name);
    return good;
  }
  throw std::runtime_error("the checklist wants something unheard of: " + word);
}

void check_values(const Document& answer, const Document& wanted) {
  for (const auto& [pointer, value] : wanted.items()) {
    INFO(pointer << " should be " << value << " in " << answer.dump().substr(0, 2000));
    CHECK(is_as_wanted(answer, Pointer(pointer), value));
  }
}

std::vector<Document> chunks_of(const RecordingSink& answer, std::string& end) {
  std::vector<Document> out;
  std::istringstream lines(answer.body);
  const bool sse = find_header(answer.head->headers, "content-type") == "text/event-stream";
  for (std::string line; std::getline(lines, line);) {
    if (sse && !line.starts_with("data: ")) continue;
    end = sse ? line.substr(6) : line;
    if (end != "[DONE]") out.push_back(Document::parse(end));
  }
  return out;
}

void check_stream(const RecordingSink& answer, const Document& wanted) {
  std::string end;
  const auto chunks = chunks_of(answer, end);
  REQUIRE(chunks.size() > 2);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const bool first = i == 0, last = i + 1 == chunks.size();
    check_values(chunks[i], wanted.value("every", Document::object()));
    if (first) check_values(chunks[i], wanted.value("first", Document::object()));
    if (last) check_values(chunks[i], wanted.value("last", Document::object()));
    if (!first && !last) check_values(chunks[i], wanted.value("middle", Document::object()));
    if (wanted.contains("one")) {
      const Pointer same(wanted["one"].get<std::string>());
      CHECK(chunks[i].at(same) == chunks[0].at(same));
    }
  }
  if (wanted.contains("end")) CHECK(end == wanted["end"].get<std::string>());
}

double cosine(const Document& a, const Document& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].get<double>() * b[i].get<double>();
  return sum;
}

/// Checks what a probe says of two requests, or of one request made twice.
void check_pair(const Door& door, const Document& probe, const Document& answer) {
  const bool twice = probe.contains("twice");
  const auto& pair = twice ? probe["twice"] : probe["other"];
  const auto second = door.ask(request_of(probe, twice ? probe["body"] : pair["body"]));
  INFO(second.body.substr(0, 500));
  REQUIRE(second.head->status == 200);
  const auto other = Document::parse(second.body);
  const auto each = [&](const char* name, auto check) {
    if (!pair.contains(name)) return;
    const auto pointers = pair[name].is_array() ? pair[name] : Document::array({pair[name]});
    for (const std::string pointer : pointers) check(answer.at(Pointer(pointer)), other.at(Pointer(pointer)));
  };
  each("same", [](const Document& a, const Document& b) { CHECK(a == b); });
  each("different", [](const Document& a, const Document& b) { CHECK(a != b); });
  each("less", [](const Document& a, const Document& b) { CHECK(a.get<int>() < b.get<int>()); });
}

void run(const Door& door, const Document& probe) {
  const auto request = request_of(probe, probe["body"]);
  INFO(request.method << " " << request.url << " " << request.body.text().substr(0, 500));
  const auto answer = door.ask(request);
  REQUIRE(answer.head);
  INFO(answer.body.substr(0, 1000));
  CHECK(answer.head->status == probe.value("status", 200));
  if (probe.contains("says")) CHECK_THAT(answer.body, contains(probe["says"]));
  if (answer.head->status != 200) return;

  const auto stream = probe.value("stream", Document::object());
  const auto media = probe.contains("media") ? probe["media"] : stream.value("media", Document());
  if (media.is_string()) {
    CHECK(find_header(answer.head->headers, "content-type") == media.get<std::string>());
  }
  if (probe.contains("stream")) return check_stream(answer, stream);
  if (find_header(answer.head->headers, "content-type") != "application/json") return;

  const auto document = Document::parse(answer.body);
  check_values(document, probe.value("expect", Document::object()));
  if (probe.contains("sum")) {
    const auto at = [&](std::size_t i) {
      return document.at(Pointer(probe["sum"][i].get<std::string>())).get<int>();
    };
    CHECK(at(0) + at(1) == at(2));
  }
  if (probe.contains("unit")) {
    const auto& vector = document.at(Pointer(probe["unit"].get<std::string>()));
    CHECK(std::sqrt(cosine(vector, vector)) == Approx(1).epsilon(1e-4));
  }
  if (probe.contains("nearest")) {  // the second row is nearer to the first than the third is
    const auto row = [&](std::size_t i) {
      return document["data"][probe["nearest"][i].get<std::size_t>()]["embedding"];
    };
    CHECK(cosine(row(0), row(1)) > cosine(row(0), row(2)));
  }
  if (probe.contains("twice") || probe.contains("other")) check_pair(door, probe, document);
}

}  // namespace

TEMPLATE_TEST_CASE("the engine does what the lines of the checklist say", "[checklist]", InProcess,
                   OverHttp) {
  constexpr std::size_t step = std::is_same_v<TestType, OverHttp> ? 8 : 1;
  for (std::size_t i = 0; i < checklist().size(); i += step) {
    const auto& line = checklist()[i];
    const auto& probed = probed_line(line);
    DYNAMIC_SECTION(line["id"].get<std::string>()
                    << ", " << TestType::name << ": " << line["rule"].get<std::string>()) {
      for (const auto& probe : probed.value("probes", Document::array())) {
        run(door<TestType>(probe.value("engine", "")), probe);
      }
    }
  }
}

TEST_CASE("every line of the checklist has probes or a reason for having none", "[checklist]") {
  int open = 0;
  for (const auto& line : checklist()) {
    INFO(line.dump());
    const auto& probed = probed_line(line);
    const bool is_open = probed.contains("open");
    CHECK(is_open != !probed.value("probes", Document::array()).empty());
    if (is_open) {
      ++open;
      WARN(line["id"] << " is open: " << probed["open"]);
    }
  }
  CHECK(checklist().size() == 305);
  CHECK(open == 0);
}
