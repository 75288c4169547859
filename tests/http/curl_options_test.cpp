// Options that a server cannot see, or only after minutes: the test looks at the options that are set in
// libcurl.
#include "http/answering_server.hpp"

#include <curl/curl.h>
#include <dlfcn.h>

#include <chrono>
#include <cstdint>
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

/// Intercepts calls to libcurl under the name that callers use. Takes the option's value, even a number, as a
/// pointer.
extern "C" [[gnu::visibility("default")]] CURLcode overheard_setopt(CURL* easy, CURLoption option,
                                                                    void* argument) asm("curl_easy_setopt");

CURLcode overheard_setopt(CURL* easy, CURLoption option, void* argument) {
  const bool is_number = option < CURLOPTTYPE_OBJECTPOINT;
  if (told != nullptr) {
    const auto number = static_cast<long>(reinterpret_cast<std::intptr_t>(argument));
    (*told)[option] = is_number ? number : long{argument != nullptr};
  }
  if (told != nullptr && option == CURLOPT_PROTOCOLS_STR) protocols = static_cast<const char*>(argument);
  using Function = CURLcode (*)(CURL*, CURLoption, ...);
  static const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "curl_easy_setopt"));
  return real(easy, option, argument);
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
