#include "proxy/http_session.hpp"

#include "tests/proxy/gateway_clients.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace sallyport::tests {
namespace {

using audit::EgressDone;
using audit::EgressRequest;
using testing::HasSubstr;
using testing::StartsWith;

/// Answers one request with what it received.
void reflect(int fd) {
  auto const head = receive_until(fd, "\r\n\r\n");
  send_all(fd, "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(head.size()) + "\r\n\r\n" + head);
}

TEST(HttpSession, RequestIsSentInCanonicalFormAndRecordedWithItsEnd) {
  Origin origin(reflect);
  GatewayHarness gateway(kRules, pins_to(origin));
  auto const client = connect_to(gateway.proxy_port());
  send_all(client.get(), get("http://WEB.example.com/ok/%7Ea", "WEB.example.com"));
  auto const head = receive_until(client.get(), "\r\n\r\n");
  EXPECT_THAT(head, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(receive_until(client.get(), "\r\n\r\n"), StartsWith("GET /ok/~a HTTP/1.1\r\nHost: web.example.com\r\n"));
  auto const request = gateway.only_request();
  EXPECT_EQ(request.path, "/ok/~a");
  EXPECT_EQ(request.method, "GET");
  auto const done = gateway.wait_for<EgressDone>(1);
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(done[0].status, 200);
  EXPECT_EQ(done[0].id, request.id);
}

TEST(HttpSession, PipelinedRequestsAreDecidedOneByOne) {
  Origin origin(reflect);
  GatewayHarness gateway(kRules, pins_to(origin));
  auto const good = get("http://web.example.com/ok/1", "web.example.com");
  auto const bad = get("http://nobody.example.com/ok/2", "nobody.example.com");
  auto const replies = ask(gateway.proxy_port(), good + good + bad + good);
  EXPECT_THAT(replies, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(replies, HasSubstr("HTTP/1.1 403 "));
  EXPECT_EQ(origin.connections(), 2);
  auto const requests = gateway.wait_for<EgressRequest>(3);
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[2].verdict, "deny");
  EXPECT_EQ(requests[2].host, "nobody.example.com");
}

struct DeniedHttp {
  std::string request;
  int status;
  std::string reason;
};

TEST(HttpSession, RefusalsAreReadableRecordedAndDialNothing) {
  for (auto const& [request, status, reason] : std::vector<DeniedHttp>{
           {get("http://nobody.example.com/ok/", "nobody.example.com"), 403, "no_rule"},
           {get("http://web.example.com/secret", "web.example.com"), 403, "path_not_allowed"},
           {get("http://web.example.com:81/ok/a", "web.example.com:81"), 403, "port_not_allowed"},
           {"PUT http://web.example.com/ok/a HTTP/1.1\r\nHost: web.example.com\r\n\r\n", 403, "method_not_allowed"},
           {get("http://web.example.com/ok/a", "other.example.com"), 400, "bad_request"},
           {get("/ok/a", "web.example.com"), 400, "bad_request"},
           {"\x16\x03\x01\x02\x00\x01", 400, "bad_request"},
           {"garbage\r\n\r\n", 400, "bad_request"},
           {"GET http://web.example.com/ok/" + std::string(20'000, 'a') + " HTTP/1.1\r\nHost: web.example.com\r\n\r\n", 414,
            "too_large"},
           {"GET http://web.example.com/ok/ HTTP/1.1\r\nX: " + std::string(70'000, 'a') + "\r\n\r\n", 431, "too_large"},
       }) {
    SCOPED_TRACE(request.substr(0, 80));
    Origin origin(echo);
    GatewayHarness gateway(kRules, pins_to(origin));
    auto const reply = ask(gateway.proxy_port(), request);
    EXPECT_THAT(reply, StartsWith("HTTP/1.1 " + std::to_string(status)));
    EXPECT_THAT(reply, HasSubstr("Sallyport-Reason: " + reason + "\r\n"));
    EXPECT_EQ(gateway.only_request().reason, reason);
    EXPECT_EQ(origin.connections(), 0);
  }
}

TEST(HttpSession, RefusalReachesAClientThatIsStillUploading) {
  Origin origin(echo);
  GatewayHarness gateway(kRules, pins_to(origin));
  auto const client = connect_to(gateway.proxy_port());
  std::string const body(8 * 1024 * 1024, 'u');
  std::thread uploader([&] {
    send_all(client.get(), "POST http://nobody.example.com/ HTTP/1.1\r\nHost: nobody.example.com\r\nContent-Length: " +
                               std::to_string(body.size()) + "\r\n\r\n");
    send_all(client.get(), body);
  });
  EXPECT_THAT(receive_until(client.get(), "\r\n\r\n"), StartsWith("HTTP/1.1 403"));
  uploader.join();
}

}  // namespace
}  // namespace sallyport::tests
