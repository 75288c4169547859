#include "protocol/framing/receive_buffer.hpp"

#include "support/catch.hpp"

#include <string>
#include <thread>
#include <utility>

using inferwire::protocol::ReceiveBuffer;

namespace {

/// Runs the check in a new thread, where no buffer has left memory yet.
template <class Check>
void in_new_thread(Check check) {
  std::thread(check).join();
}

ReceiveBuffer buffer_of(const std::string& bytes) {
  ReceiveBuffer buffer;
  buffer.append(bytes);
  return buffer;
}

std::string text_of(ReceiveBuffer& buffer) { return {buffer.data(), buffer.size()}; }

}  // namespace

TEST_CASE("ReceiveBuffer::erase moves the rest up") {
  auto buffer = buffer_of("abcdef");
  buffer.erase(2, 0);
  CHECK(buffer.moved_bytes() == 0);
  buffer.erase(1, 2);
  CHECK(text_of(buffer) == "adef");
  CHECK(buffer.moved_bytes() == 3);
  buffer.erase(0, 4);
  CHECK(buffer.size() == 0);
  buffer.append("xy");
  CHECK(text_of(buffer) == "xy");
}

TEST_CASE("ReceiveBuffer grows by doubling and keeps what it holds") {
  in_new_thread([] {
    auto buffer = buffer_of("x");
    const auto first = buffer.capacity();
    CHECK(first + ReceiveBuffer::padding == 1024);
    buffer.append(std::string(first - 1, 'y'));  // fits exactly
    CHECK(buffer.capacity() == first);
    CHECK(buffer.moved_bytes() == 0);
    buffer.append("z");
    CHECK(buffer.capacity() + ReceiveBuffer::padding == 2048);
    CHECK(buffer.moved_bytes() == first);
    CHECK(text_of(buffer) == "x" + std::string(first - 1, 'y') + "z");
    buffer.append(std::string(10 * first, 'w'));
    CHECK(buffer.capacity() == 11 * first + 1);
  });
}

TEST_CASE("a ReceiveBuffer that was moved from is empty and can be filled") {
  auto first = buffer_of("abc");
  auto second = std::move(first);
  CHECK(text_of(second) == "abc");
  CHECK(first.size() == 0);      // NOLINT(bugprone-use-after-move): tests what a move leaves
  CHECK(first.capacity() == 0);  // NOLINT(bugprone-use-after-move)
  first.append("d");
  CHECK(text_of(first) == "d");
  first = std::move(second);
  CHECK(text_of(first) == "abc");
  CHECK(second.size() == 0);      // NOLINT(bugprone-use-after-move)
  CHECK(second.capacity() == 0);  // NOLINT(bugprone-use-after-move)
}

TEST_CASE("ReceiveBuffer::rest leaves the memory of an empty buffer to the next one") {
  in_new_thread([] {
    auto first = buffer_of(std::string(5000, 'x'));
    const char* const place = first.data();
    first.rest();
    CHECK(first.data() == place);  // it kept its memory, as it was not empty
    first.erase(0, 5000);
    first.rest();
    CHECK(first.capacity() == 0);
    first.rest();  // it has no more to give

    auto second = buffer_of("y");
    CHECK(second.data() == place);
    CHECK(second.capacity() == 5000);
    CHECK(buffer_of("z").capacity() < 5000);  // only one memory had been left
  });
}

TEST_CASE("a ReceiveBuffer leaves its memory to the next one at its end") {
  in_new_thread([] {
    const char* const place = buffer_of(std::string(5000, 'x')).data();
    auto next = buffer_of("y");
    CHECK(next.data() == place);
    CHECK(text_of(next) == "y");
  });
}

TEST_CASE("ReceiveBuffer::reserve makes room once") {
  in_new_thread([] {
    ReceiveBuffer buffer;
    buffer.reserve(3000);
    CHECK(buffer.capacity() == 3000);
    buffer.append(std::string(2999, 'x'));
    buffer.append("y");
    buffer.reserve(10);
    CHECK(buffer.capacity() == 3000);
    CHECK(buffer.moved_bytes() == 0);
    buffer.reserve(3001);
    CHECK(text_of(buffer) == std::string(2999, 'x') + "y");
    CHECK(buffer.capacity() == 3001);
  });
}

TEST_CASE("the bytes behind those of a ReceiveBuffer have a value") {
  in_new_thread([] {
    buffer_of(std::string(5000, 'x'));  // the next one gets its memory
    ReceiveBuffer buffer;
    const auto behind = [&buffer] {
      return std::string(buffer.data() + buffer.size(), ReceiveBuffer::padding);
    };
    buffer.reserve(100);
    CHECK(behind() == std::string(ReceiveBuffer::padding, '\0'));
    buffer.append("yyy");
    CHECK(behind() == std::string(ReceiveBuffer::padding, '\0'));
  });
}

TEST_CASE("a ReceiveBuffer leaves alone what another one left if it is too small") {
  in_new_thread([] {
    const auto small = buffer_of("x").capacity();
    ReceiveBuffer large;
    large.reserve(small + 1);
    CHECK(large.capacity() == small + 1);
    CHECK(buffer_of("y").capacity() == small);
  });
}

TEST_CASE("ReceiveBuffer::rest keeps the largest memory per thread, up to a limit") {
  in_new_thread([] {
    auto rest = [](std::size_t size) {
      auto buffer = buffer_of(std::string(size, 'x'));
      buffer.erase(0, size);
      return buffer;
    };
    auto small = rest(2000);
    auto large = rest(9000);
    auto limit = rest(256u * 1024);
    auto beyond = rest(256u * 1024 + 1);
    small.rest();
    large.rest();
    CHECK(buffer_of("x").capacity() == 9000);

    limit.rest();
    beyond.rest();
    CHECK(beyond.capacity() == 0);
    CHECK(buffer_of("x").capacity() == 256u * 1024);
  });
}
