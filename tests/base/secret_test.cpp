#include "inferwire/secret.hpp"

#include "inferwire/optional.hpp"
#include "support/catch.hpp"

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

using namespace inferwire;

namespace {
template <class T>
concept printable = requires(std::ostream& out, const T& value) { out << value; };
template <class T>
concept comparable = requires(const T& value) { value == value; };

const std::string kLong(100, 'k');  // longer than any std::string keeps inside itself

/// The bytes at an address: shows where a secret's text lies, from outside.
std::string_view bytes_at(const char* address, std::size_t size) { return {address, size}; }
bool only_zeros(std::string_view bytes) { return bytes.find_first_not_of('\0') == std::string_view::npos; }
}  // namespace

static_assert(!printable<Secret>, "a secret must not be printed");
static_assert(!comparable<Secret>, "comparing secrets invites timing attacks");
static_assert(!std::is_convertible_v<Secret, std::string>);
static_assert(!std::is_convertible_v<Secret, std::string_view>);
static_assert(!std::is_convertible_v<Secret, bool>);
static_assert(std::is_nothrow_move_constructible_v<Secret> && std::is_nothrow_move_assignable_v<Secret>);

TEST_CASE("a Secret gives its text by reveal() only") {
  const Secret secret("dapi-123");
  CHECK(secret.reveal() == "dapi-123");
  CHECK_FALSE(secret.empty());
  CHECK(Secret().empty());
}

TEST_CASE("a Secret is made of every kind of text") {
  for (const Secret& secret :
       {Secret("key"), Secret(std::string("key")), Secret(std::string_view("key, cut", 3)),
        Secret(std::getenv("INFERWIRE_NO_SUCH_VARIABLE"))}) {
    CHECK(secret.reveal() == (secret.empty() ? "" : "key"));
  }
  inferwire::Optional<Secret> key = std::string_view("key");
  key = std::string_view("other");
  CHECK(key->reveal() == "other");
  key = "literal";
  CHECK(key->reveal() == "literal");
  key = {};
  CHECK_FALSE(key);
}

TEST_CASE("destroying a short Secret clears its memory") {
  // The text lies inside the object itself, and `storage` outlives the object.
  alignas(Secret) std::byte storage[sizeof(Secret)]{};
  auto* secret = new (storage) Secret("short-key");
  const auto before = bytes_at(reinterpret_cast<const char*>(storage), sizeof storage);
  REQUIRE(before.find("short-key") != std::string_view::npos);
  secret->~Secret();
  const auto after = bytes_at(reinterpret_cast<const char*>(storage), sizeof storage);
  CHECK(after.find("short") == std::string_view::npos);
}

TEST_CASE("assigning a shorter Secret clears the rest of the memory") {
  Secret secret(kLong);
  const char* where = secret.reveal().data();
  const Secret shorter(std::string(20, 's'));
  secret = shorter;
  REQUIRE(secret.reveal() == shorter.reveal());
  REQUIRE(secret.reveal().data() == where);  // the shorter text fits into the memory that is there
  const auto size = secret.reveal().size();
  CHECK(only_zeros(bytes_at(where + size, kLong.size() - size)));
}

TEST_CASE("a Secret that was moved from is empty, and its memory is cleared") {
  Secret source("short-key");
  const auto inside = bytes_at(reinterpret_cast<const char*>(&source), sizeof source);
  const Secret target = std::move(source);
  CHECK(target.reveal() == "short-key");
  CHECK(source.empty());
  CHECK(inside.find("short") == std::string_view::npos);

  Secret other("abc");
  Secret assigned("xyz");
  assigned = std::move(other);
  CHECK(assigned.reveal() == "abc");
  CHECK(other.empty());
}

TEST_CASE("a Secret may be assigned to itself") {
  Secret secret("dapi-123");
  auto& same = secret;
  secret = same;
  CHECK(secret.reveal() == "dapi-123");
  secret = std::move(same);
  CHECK(secret.reveal() == "dapi-123");
}

TEST_CASE("Copies of a secret do not share memory") {
  const auto original = std::make_unique<Secret>(kLong);
  const Secret copy = *original;
  CHECK(copy.reveal() == original->reveal());
  CHECK(copy.reveal().data() != original->reveal().data());
}

TEST_CASE("a Secret made of a null pointer is empty") {
  const char* const not_set = nullptr;
  CHECK(Secret(not_set).empty());
}
