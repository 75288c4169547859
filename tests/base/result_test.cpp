#include "inferwire/result.hpp"

#include "inferwire/optional.hpp"
#include "support/captured_stderr.hpp"
#include "support/catch.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

using namespace inferwire;

namespace {
Error broken() { return {.kind = ErrorKind::connection, .detail = "the wire is cut", .status = 502}; }

Result<int> half(int n) {
  if (n % 2 != 0) return Error{.kind = ErrorKind::invalid_request, .detail = "odd"};
  return n / 2;
}

struct NoDefault {
  explicit NoDefault(int n) : value(n) {}
  int value;
};

/// What is written to stderr by a child process that aborts in `read`; empty if it does not abort.
template <class Read>
std::string last_words(Read read) {
  inferwire_test::CapturedStderr captured;
  const auto child = ::fork();
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);  // in place of Catch's handler
    read();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  const auto words = captured.take();
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT ? words : "";
}
}  // namespace

static_assert(std::is_same_v<Result<int>::value_type, int>);
static_assert(std::is_same_v<Result<int>::error_type, Error>);
static_assert(!std::is_convertible_v<Result<int>, bool>, "a result must not turn into a number by accident");
static_assert(!std::is_constructible_v<Result<int>, std::string>);
static_assert(!std::is_default_constructible_v<Result<NoDefault>>);
static_assert(std::is_nothrow_move_constructible_v<Result<std::string>>);
static_assert(!std::is_copy_constructible_v<Result<std::unique_ptr<int>>>);

// A temporary gives values, not references: a loop over `client.models.list().value().data` outlives the
// temporary.
static_assert(std::is_same_v<decltype(half(2).value()), int>);
static_assert(std::is_same_v<decltype(*half(2)), int>);
static_assert(std::is_same_v<decltype(half(2).error()), Error>);
static_assert(std::is_same_v<decltype(std::declval<Result<int>&>().value()), int&>);

TEST_CASE("a Result holds its value or its error") {
  const Result<int> good = 7;
  CHECK(good.has_value());
  CHECK(static_cast<bool>(good));
  CHECK(*good == 7);

  const Result<int> bad = broken();
  CHECK_FALSE(bad.has_value());
  CHECK(bad.error() == broken());
}

TEST_CASE("a failed Result that was moved from holds an empty Error") {
  Result<int> from = broken();
  const Result<int> to = std::move(from);
  CHECK(to.error() == broken());
  CHECK_FALSE(from.has_value());  // NOLINT(bugprone-use-after-move)
  CHECK(from.error() == Error{});
  from = broken();
  CHECK(from == to);
  from = 3;
  CHECK(*from == 3);
}

TEST_CASE("Result<std::string> is made from a literal") {
  const Result<std::string> made = "text";
  CHECK(made->size() == 4);
}

TEST_CASE("a Result whose value contains an Error is made of that value") {
  const Result<std::pair<int, Error>> made = std::pair(1, broken());
  REQUIRE(made.has_value());
  CHECK(made->second.status == 502);
}

TEST_CASE("Result<void> says only whether it worked") {
  const Result<void> good;
  CHECK(good.has_value());
  const Result<void> bad = broken();
  CHECK_FALSE(bad.has_value());
  CHECK(bad.error().detail == "the wire is cut");
  CHECK_NOTHROW(good.value());
  CHECK_THROWS_AS(bad.value(), Exception);
}

TEST_CASE("a Result takes a move-only value") {
  Result<std::unique_ptr<int>> made = std::make_unique<int>(5);
  auto moved = std::move(made);
  REQUIRE(moved.has_value());
  const std::unique_ptr<int> taken = *std::move(moved);
  CHECK(*taken == 5);
}

TEST_CASE("a Result takes a value without a default constructor") {
  const auto made = Result<NoDefault>(3).transform([](NoDefault n) { return n.value + 1; });
  CHECK(*made == 4);
}

TEST_CASE("value() gives the value, and throws an Exception that carries the error") {
  Result<std::string> good = "text";
  good.value() += "!";
  CHECK(std::as_const(good).value() == "text!");
  CHECK(std::move(good).value() == "text!");

  const Result<std::string> bad = broken();
  try {
    static_cast<void>(bad.value());
    FAIL("value() returned");
  } catch (const Exception& thrown) {
    CHECK(thrown.error() == broken());
    CHECK(std::string_view(thrown.what()) == broken().message());
  }
}

TEST_CASE("reading what a Result does not hold aborts with a line on stderr") {
  const auto no_value = "inferwire: a failed Result has no value: " + broken().message() + "\n";
  const Result<std::string> bad = broken();
  CHECK(last_words([&] { static_cast<void>(bad->size()); }) == no_value);
  CHECK(last_words([&] { static_cast<void>(*Result<void>(broken())); }) == no_value);
  const Result<std::string> good = "text";
  CHECK(last_words([&] { static_cast<void>(good.error()); }) ==
        "inferwire: a successful Result has no error\n");
}

TEST_CASE("An Exception is caught as std::exception, and copies keep its words") {
  const Exception original(broken());
  const Exception copy = original;
  const std::exception& base = copy;
  CHECK(base.what() == broken().message());
  CHECK(copy.error() == original.error());
}

TEST_CASE("value_or gives the fallback only where there is no value") {
  CHECK(Result<int>(1).value_or(9) == 1);
  CHECK(Result<int>(broken()).value_or(9) == 9);
  const Result<std::string> bad = broken();
  CHECK(bad.value_or("none") == "none");
}

TEST_CASE("and_then goes on with the value and passes an error through") {
  CHECK(*half(8).and_then(half) == 2);
  CHECK(half(6).and_then(half).error().detail == "odd");
  const Result<int> bad = broken();
  CHECK(bad.and_then(half).error() == broken());

  bool called = false;
  const auto after_nothing = Result<void>(broken()).and_then([&called]() -> Result<int> {
    called = true;
    return 1;
  });
  CHECK_FALSE(called);
  CHECK(after_nothing.error() == broken());
  CHECK(*Result<void>().and_then([]() -> Result<int> { return 1; }) == 1);
}

TEST_CASE("transform changes the value, also to nothing and from nothing") {
  CHECK(*half(8).transform([](int n) { return std::to_string(n); }) == "4");
  int seen = 0;
  const Result<void> done = half(8).transform([&seen](int n) { seen = n; });
  CHECK(done.has_value());
  CHECK(seen == 4);
  CHECK(*Result<void>().transform([] { return 3; }) == 3);
  const Result<int> bad = broken();
  CHECK(bad.transform([](int n) { return n + 1; }).error() == broken());
}

TEST_CASE("transform moves a value that can only be moved") {
  auto made = Result<std::unique_ptr<int>>(std::make_unique<int>(5)).transform([](std::unique_ptr<int> p) {
    ++*p;
    return p;
  });
  REQUIRE(made.has_value());
  CHECK(**made == 6);
}

TEST_CASE("or_else recovers from an error or gives another") {
  CHECK(*half(8).or_else([](Error) -> Result<int> { return 0; }) == 4);
  CHECK(*half(3).or_else([](Error) -> Result<int> { return 0; }) == 0);
  CHECK(half(3).or_else([](Error) -> Result<int> { return broken(); }).error() == broken());
}

TEST_CASE("transform_error changes the error and leaves a value alone") {
  const auto renamed = [](Error error) {
    error.path = "max_tokens";
    return error;
  };
  CHECK(half(3).transform_error(renamed).error().path == "max_tokens");
  CHECK(*half(4).transform_error(renamed) == 2);
}

TEST_CASE("Result::transform and and_then take pointers to members") {
  struct River {
    std::string name{};
    std::size_t letters() const { return name.size(); }
    Result<int> length() const { return broken(); }
  };
  const Result<River> river = River{.name = "Aker"};
  CHECK(*river.transform(&River::name) == "Aker");
  CHECK(*river.transform(&River::letters) == 4);
  CHECK(river.and_then(&River::length).error() == broken());
}

TEST_CASE("transform and and_then of a Result that is kept take its value by reference") {
  Result<std::unique_ptr<int>> kept = std::make_unique<int>(5);
  CHECK(*std::as_const(kept).transform([](const std::unique_ptr<int>& p) { return *p; }) == 5);
  CHECK(*std::as_const(kept).and_then([](const auto& p) -> Result<int> { return *p + 1; }) == 6);
  CHECK(kept.transform([](std::unique_ptr<int>& p) { p.reset(); }).has_value());
  CHECK_FALSE(*kept);
}

TEST_CASE("or_else and transform_error of a const Result leave it unchanged") {
  const Result<int> bad = half(3);
  CHECK(*bad.or_else([](Error) -> Result<int> { return 0; }) == 0);
  CHECK(bad.transform_error([](Error) { return broken(); }).error() == broken());
  CHECK(bad.error().detail == "odd");
}

TEST_CASE("Results are equal when their values or their errors are") {
  CHECK(Result<int>(1) == Result<int>(1));
  CHECK_FALSE(Result<int>(1) == Result<int>(2));
  CHECK_FALSE(Result<int>(1) == Result<int>(broken()));
  CHECK(Result<void>(broken()) == Result<void>(broken()));
}

TEST_CASE("a Result converts from another Result, but not by way of bool") {
  const Result<int> failed = broken();
  const Result<double> passed_on = failed;
  REQUIRE_FALSE(passed_on.has_value());
  CHECK(passed_on.error() == broken());
  CHECK(*Result<long>(half(8)) == 4);
  CHECK(*Result<Result<int>>(half(8)) == half(8));
  STATIC_REQUIRE_FALSE(std::is_convertible_v<Result<std::string>, Result<bool>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<inferwire::Optional<std::string>, Result<bool>>);
}

TEST_CASE("a Result has no conversion that would lose most of a value") {
  STATIC_REQUIRE_FALSE(std::is_constructible_v<Result<bool>, const char (&)[8]>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<Result<bool>, const char*>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<Result<bool>, Result<int>>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<Result<int>, double>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<Result<int>, bool>);
  STATIC_REQUIRE(std::is_convertible_v<bool, Result<bool>>);
  STATIC_REQUIRE(std::is_convertible_v<long, Result<int>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<Result<void>, Result<bool>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<int, Result<std::vector<int>>>);
}
