/// \file
/// libcurl's messages in the log, without secrets.

#include "http/wire_log.hpp"

#include "support/catch.hpp"
#include "support/listeners.hpp"

#include <string>
#include <string_view>

using namespace inferwire;

namespace {

std::string shown(std::string_view remark, curl_infotype type = CURLINFO_TEXT,
                  const HttpRequest& request = {}) {
  inferwire_test::Lines log(LogLevel::debug);
  inferwire::http::write_remark(log, type, remark, request);
  return log.lines().at(0);
}

}  // namespace

TEST_CASE("the wire log hides user and password of a URL") {
  CHECK(shown("Uses proxy env variable https_proxy == 'http://user:pass@proxy:3128'\n") ==
        "curl * Uses proxy env variable https_proxy == 'http://***@proxy:3128'");
  CHECK(shown("Uses proxy env variable all_proxy == 'user:p'@s@proxy:3128'") ==
        "curl * Uses proxy env variable all_proxy == '***@proxy:3128'");
  CHECK(shown("Uses proxy env variable all_proxy == 'proxy:3128'") ==
        "curl * Uses proxy env variable all_proxy == 'proxy:3128'");
  CHECK(shown("Uses proxy env variable http_proxy == 'http://user:p/a ss@proxy:3128'") ==
        "curl * Uses proxy env variable http_proxy == 'http://***@proxy:3128'");
  CHECK(shown("Unsupported proxy scheme for 'ftp://user:p/a@ss@proxy'") ==
        "curl * Unsupported proxy scheme for 'ftp://***@proxy'");
  CHECK(shown("Unsupported proxy syntax in 'user:p/a ss@proxy'") ==
        "curl * Unsupported proxy syntax in '***@proxy'");
  CHECK(shown("Issue another request to this URL: 'https://u:p@one/a@b' and http://v@two") ==
        "curl * Issue another request to this URL: 'https://***@one/a@b' and http://***@two");
  CHECK(shown("subject: CN=somebody@example.com") == "curl * subject: CN=somebody@example.com");
}

TEST_CASE("the wire log hides a header's continuation lines") {
  CHECK(shown("Set-Cookie: a=b;\r\n", CURLINFO_HEADER_IN) == "curl < Set-Cookie: ***");
  CHECK(shown(" session=secret\r\n", CURLINFO_HEADER_IN) == "curl <  ***");
  CHECK(shown("\tsession: secret\r\n", CURLINFO_HEADER_IN) == "curl <  ***");
}

TEST_CASE("what a server writes has no control characters in the log") {
  CHECK(shown("HTTP/1.1 400 Bad\x1B]0;title\x07\r\n", CURLINFO_HEADER_IN) ==
        "curl < HTTP/1.1 400 Bad ]0;title ");
  CHECK(shown("Server: a\x9Bm\xC2\x9Bm \xC3\xB6\r\n", CURLINFO_HEADER_IN) == "curl < Server: a m m \xC3\xB6");
  CHECK(shown("subject: CN=\x1B[2J") == "curl * subject: CN= [2J");
}

TEST_CASE("the wire log hides the query of a request, which libcurl sends without a fragment") {
  const HttpRequest request{.method = "GET", .url = "http://127.0.0.1:81/v1?u=secret-query#part"};
  constexpr std::string_view line = "GET /v1?u=secret-query HTTP/1.1\r\n";
  CHECK(shown(line, CURLINFO_HEADER_OUT, request) == "curl > GET /v1?*** HTTP/1.1");
}

TEST_CASE("the wire log hides the path of a confidential request") {
  HttpRequest request{.method = "GET", .url = "http://127.0.0.1:81/metadata/secret-path"};
  constexpr std::string_view line = "GET /metadata/secret-path HTTP/1.1\r\n";
  CHECK(shown(line, CURLINFO_HEADER_OUT, request) == "curl > GET /metadata/secret-path HTTP/1.1");
  request.confidential = true;
  CHECK(shown(line, CURLINFO_HEADER_OUT, request) == "curl > GET *** HTTP/1.1");
}

TEST_CASE("the wire log shows only harmless headers of HTTP/2") {
  CHECK(shown("h2h3 [x-internal: secret]") == "curl * h2h3 [x-internal: ***]");
  CHECK(shown("[HTTP/2] [1] [x-internal: a [secret]: b]") == "curl * [HTTP/2] [1] [x-internal: ***]");
  CHECK(shown("[HTTP/2] [1] [content-type: application/json]") ==
        "curl * [HTTP/2] [1] [content-type: application/json]");
  CHECK(shown("[HTTP/2] [1] [:path: /v1/chat]") == "curl * [HTTP/2] [1] [:path: /v1/chat]");
}
