// Options that a server cannot see, or only after minutes: the test looks at the options that are set in
// libcurl.
#include "http/curl_calls.hpp"
#include "support/answering_server.hpp"

#include <curl/curl.h>
#include <dlfcn.h>

#include <chrono>
#include <cstdarg>
#include <map>
#include <string>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire_test;

namespace {

/// The last number that each option was set to, of a pointer whether it was set; null if not recorded.
std::map<CURLoption, long>* told = nullptr;
/// The last value of CURLOPT_PROTOCOLS_STR.
std::string protocols;

template <class Ask>
std::map<CURLoption, long> told_during(Ask ask) {
  std::map<CURLoption, long> numbers;
  protocols.clear();
  told = &numbers;
  const auto sink = ask();
  told = nullptr;
  CHECK(sink.body == "{}");
  return numbers;
}

std::map<CURLoption, long> told_of(const NetworkOptions& options) {
  AnsweringServer server;
  return told_during([&] { return ask(options, server.url()); });
}

}  // namespace

/// Intercepts calls to libcurl under the name that callers use. `which` is a CURLoption, as it is promoted:
/// clang wants that type before the values.
extern "C" [[gnu::visibility("default")]] CURLcode overheard_setopt(CURL* easy, unsigned which,
                                                                    ...) asm("curl_easy_setopt");

CURLcode overheard_setopt(CURL* easy, unsigned which, ...) {
  const auto option = static_cast<CURLoption>(which);
  using Function = CURLcode (*)(CURL*, CURLoption, ...);
  static const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "curl_easy_setopt"));
  std::va_list arguments;
  va_start(arguments, which);
  const auto note_and_pass = [&](auto argument, long number) {
    if (told != nullptr) (*told)[option] = number;
    return real(easy, option, argument);
  };
  CURLcode code{};
  if (option < CURLOPTTYPE_OBJECTPOINT) {
    const auto number = va_arg(arguments, long);
    code = note_and_pass(number, number);
  } else if (option >= CURLOPTTYPE_OFF_T && option < CURLOPTTYPE_BLOB) {
    const auto number = va_arg(arguments, curl_off_t);
    code = note_and_pass(number, static_cast<long>(number));
  } else {
    auto* const pointer = va_arg(arguments, void*);
    if (told != nullptr && option == CURLOPT_PROTOCOLS_STR) protocols = static_cast<const char*>(pointer);
    code = note_and_pass(pointer, pointer != nullptr);
  }
  va_end(arguments);
  return code;
}

TEST_CASE("native_ca sets libcurl's option for service and proxy") {
  auto numbers = told_of({});
  CHECK_FALSE(numbers.contains(CURLOPT_SSL_OPTIONS));
  numbers = told_of({.native_ca = true});
  CHECK(numbers[CURLOPT_SSL_OPTIONS] == CURLSSLOPT_NATIVE_CA);
  CHECK(numbers[CURLOPT_PROXY_SSL_OPTIONS] == CURLSSLOPT_NATIVE_CA);
}

TEST_CASE("max_idle sets CURLOPT_MAXAGE_CONN, by default 118 s") {
  CHECK(told_of({})[CURLOPT_MAXAGE_CONN] == 118);
  CHECK(told_of({.max_idle = 7s})[CURLOPT_MAXAGE_CONN] == 7);
}

TEST_CASE("max_idle and max_age may be longer than a long of 32 bits can say") {
  auto numbers = told_of({.max_idle = std::chrono::seconds::max(), .max_age = std::chrono::hours(1'000'000)});
  CHECK(numbers[CURLOPT_MAXAGE_CONN] == 0x7FFFFFFF);
  CHECK(numbers[CURLOPT_MAXLIFETIME_CONN] == 0x7FFFFFFF);
}

TEST_CASE("a replaced file of trusted certificates is noticed within a minute, libcurl's own when it likes") {
  CHECK(told_of({.ca_file = "/dev/null"})[CURLOPT_CA_CACHE_TIMEOUT] == 60);
  CHECK_FALSE(told_of({}).contains(CURLOPT_CA_CACHE_TIMEOUT));
}

TEST_CASE("the environment's file of certificates leaves the system's directory trusted, unlike ca_file") {
  const bool has_directory = curl_version_info(CURLVERSION_NOW)->capath != nullptr;
  CHECK(told_of({.ca_file = "/dev/null"}).contains(CURLOPT_CAPATH) == has_directory);
  AnsweringServer server;
  auto numbers = told_during([&] {
    return call(*inferwire::http::make_curl_transport({}, nullptr, "/dev/null"), {.url = server.url() + "/"});
  });
  CHECK_FALSE(numbers.contains(CURLOPT_CAPATH));
  CHECK(numbers[CURLOPT_CAINFO] == 1);
  CHECK(numbers[CURLOPT_CA_CACHE_TIMEOUT] == 60);
}

TEST_CASE("libcurl raises no signals, and speaks no protocol but HTTP") {
  CHECK(told_of({})[CURLOPT_NOSIGNAL] == 1);
  CHECK(protocols == "http,https");
}

TEST_CASE("certificates are verified, and TLS is at least 1.2, whatever the options are") {
  for (const auto& options : {NetworkOptions{}, NetworkOptions{.native_ca = true}}) {
    auto numbers = told_of(options);
    CHECK(numbers[CURLOPT_SSL_VERIFYPEER] == 1);
    CHECK(numbers[CURLOPT_SSL_VERIFYHOST] == 2);
    CHECK(numbers[CURLOPT_SSLVERSION] == CURL_SSLVERSION_TLSv1_2);
  }
  auto numbers = told_of({.min_tls = inferwire::TlsVersion::v1_3});
  CHECK(numbers[CURLOPT_SSLVERSION] == CURL_SSLVERSION_TLSv1_3);
  CHECK(numbers[CURLOPT_PROXY_SSLVERSION] == CURL_SSLVERSION_TLSv1_3);
}
