// Our headers compile behind others that define such names as macros. They are not in Debian's standard
// library, so their macros stand here; what the standard library includes comes before them.
#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

// windows.h
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define ERROR 0
#define DELETE 0x00010000L
#define IN
#define OUT
#define OPTIONAL
#define STRICT 1
#define INFINITE 0xFFFFFFFF
#define NO_ERROR 0L
#define small char
#define near
#define far
#define interface struct
#define CreateEvent CreateEventW
#define GetMessage GetMessageW
#define GetObject GetObjectW
#define SendMessage SendMessageW
// X11/X.h and X11/Xlib.h
#define None 0L
#define Bool int
#define Status int
#define Success 0
#define Always 2
#define True 1
#define False 0
#define Complex 0
// Qt
#define slots
#define signals public
#define emit
#define foreach(a, b) for (a : b)
// Objective-C, and AssertMacros.h of macOS
#define YES 1
#define NO 0
#define nil 0
#define check(assertion)
#define verify(assertion)
#define require(assertion, label)
// sys/sysmacros.h and other headers of C libraries and compilers
#define major(device) gnu_dev_major(device)
#define minor(device) gnu_dev_minor(device)
#define unix 1
#define linux 1
#define I (__extension__ 1.0iF)
// Logging and testing libraries
#define DEBUG 1
#define INFO 2
#define WARNING 3
#define LOG(level)
#define CHECK(condition)

#include <inferwire/batch.hpp>
#include <inferwire/clock.hpp>
#include <inferwire/engine/cassette.hpp>
#include <inferwire/engine/engine.hpp>
#include <inferwire/engine/engine_transport.hpp>
#include <inferwire/engine/journal.hpp>
#include <inferwire/engine/script.hpp>
#include <inferwire/inferwire.hpp>
#include <inferwire/schema.hpp>
#include <inferwire/server/http_server.hpp>
#include <inferwire/structured_output.hpp>
#include <inferwire/testing/mock_server.hpp>
#include <inferwire/testing/script_transport.hpp>
#include <inferwire/tools.hpp>

namespace {
struct Place {
  int floor{};
  signed char room{};
  float height{};
};
INFERWIRE_DESCRIBE(Place, floor, room, height)
}  // namespace
static_assert(inferwire::detail::shape_of<Place>.count == 3);
