#include "wire/python_repr.hpp"

#include "support/catch.hpp"

#include <string>

using inferwire::wire::repr_field;

TEST_CASE("repr_field finds the fields of a printed object") {
  const std::string text =
      "error=ErrorInfo(message='max_tokens must be positive', type='BadRequestError', "
      "param=None, code=400)";
  CHECK(repr_field(text, "message") == "max_tokens must be positive");
  CHECK(repr_field(text, "type") == "BadRequestError");
  CHECK(repr_field(text, "code") == "400");
  CHECK_FALSE(repr_field(text, "param"));
  CHECK_FALSE(repr_field(text, "mess"));
  const std::string older = "object='error' message=\"it's late\" type='T' param='n' code=503";
  CHECK(repr_field(older, "message") == "it's late");
  CHECK(repr_field(older, "param") == "n");
  CHECK(repr_field(older, "code") == "503");
}

TEST_CASE("repr_field takes no words without quotes") {
  const std::string text = "code=400, message=Only allowed string values, type=invalid_request_error";
  CHECK_FALSE(repr_field(text, "message"));
  CHECK_FALSE(repr_field(text, "type"));
  CHECK(repr_field(text, "code") == "400");
}

TEST_CASE("repr_field finds no field inside strings, and undoes escapes") {
  CHECK(repr_field("message='code=1, type=2' code=3", "code") == "3");
  CHECK_FALSE(repr_field("message='code=1", "code"));
  CHECK(repr_field(R"(message='a\'b\\c\nd\x41')", "message") == "a'b\\c\nd\\x41");
  CHECK(repr_field(R"(message="a\tb\rc\"")", "message") == "a\tb\rc\"");
  CHECK(repr_field("message='abc", "message") == "abc");
  CHECK(repr_field("message='abc\\", "message") == "abc\\");
}

TEST_CASE("repr_field takes objects cut at any byte") {
  const std::string text = R"(error=ErrorInfo(message='a\'', type="b", code=400))";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    for (const auto* name : {"message", "type", "code", "error"}) {
      const auto found = repr_field(std::string_view(text).substr(0, size), name);
      CHECK((!found || found->size() <= size));
    }
  }
  CHECK(repr_field("message=", "message") == std::nullopt);
  CHECK(repr_field("message='", "message") == "");
}
