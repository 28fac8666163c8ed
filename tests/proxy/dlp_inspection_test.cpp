#include "proxy/dlp_inspection.hpp"

#include "dlp/example.hpp"
#include "tests/proxy/gateway_clients.hpp"
#include "tests/proxy/grpc_messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <future>
#include <string>

namespace sallyport::tests {
namespace {

using audit::DlpFinding;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr char kDlpRules[] =
    "  - {name: web, hosts: [web.example.com, '*.wild.example.com'], ports: [80]}\n"
    "  - {name: alerts, hosts: [alert.example.com], ports: [80], dlp: alert}\n"
    "  - {name: redacts, hosts: [redact.example.com], ports: [80], dlp: redact}\n"
    "  - {name: leaves, hosts: [off.example.com], ports: [80], dlp: off}\n"
    "  - {name: vendor, hosts: [api.github.com], ports: [80]}\n";

/// Answers with the content of the body it received.
void reflect_body(int fd) {
  auto const head = receive_until(fd, "\r\n\r\n");
  auto const at = head.find("Content-Length: ");
  auto const body = at == std::string::npos ? std::string() : receive(fd, std::stoul(head.substr(at + 16)));
  send_all(fd, "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
}

/// A gateway with the rules above, whose every name leads to one origin.
struct Bench {
  Origin origin{reflect_body};
  GatewayHarness gateway{kDlpRules, pins()};
  std::string secret = dlp::expand_example("ghp_<b62*30><crc62>", 7).value();

  std::vector<std::string> pins() const {
    std::vector<std::string> all;
    for (std::string const name : {"web", "alert", "redact", "off", "a.wild"}) {
      all.push_back(name + ".example.com:80:127.0.0.1:" + std::to_string(origin.port()));
    }
    all.push_back("api.github.com:80:127.0.0.1:" + std::to_string(origin.port()));
    return all;
  }
  std::string post(std::string const& host, std::string const& body, std::string const& fields = {}) {
    return ask(gateway.proxy_port(), "POST http://" + host + "/ HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n" + fields +
                                         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  }
  DlpFinding only_finding() {
    auto const found = gateway.wait_for<DlpFinding>(1);
    EXPECT_EQ(found.size(), 1U);
    return found.empty() ? DlpFinding() : found[0];
  }
};

TEST(DlpInspection, SecretInABodyIsRefusedBeforeAnythingIsDialled) {
  Bench bench;
  auto const reply = bench.post("web.example.com", R"({"k":")" + bench.secret + R"("})");
  EXPECT_THAT(reply, StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(reply, HasSubstr("Sallyport-Reason: secret_found\r\n"));
  EXPECT_THAT(reply, HasSubstr("github-pat"));
  EXPECT_THAT(reply, Not(HasSubstr(bench.secret)));
  EXPECT_EQ(bench.origin.connections(), 0);
  auto const found = bench.only_finding();
  auto const request = bench.gateway.only_request();
  EXPECT_EQ(request.verdict, "deny");
  EXPECT_EQ(request.rule, "web");
  EXPECT_EQ(found.id, request.id);
  EXPECT_EQ(found.place, "body");
  EXPECT_EQ(found.action, "block");
  EXPECT_EQ(found.offset, 6U);
  EXPECT_EQ(found.length, 40U);
}

TEST(DlpInspection, SecretCutOverRequestsIsRefusedWithItsLastPart) {
  Bench bench;
  auto const get = [&](std::string const& host, std::string const& target, std::string const& fields = {}) {
    return ask(bench.gateway.proxy_port(), "GET http://" + host + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n" + fields + "\r\n");
  };
  auto const part = [&](std::size_t which) { return bench.secret.substr(10 * which, 10); };
  for (std::size_t i = 0; i < 3; ++i) EXPECT_THAT(get("web.example.com", "/?p" + std::to_string(i) + "=" + part(i)), StartsWith("HTTP/1.1 200 "));
  for (int again = 0; again < 2; ++again) {
    auto const reply = get("web.example.com", "/?p3=" + part(3));
    EXPECT_THAT(reply, StartsWith("HTTP/1.1 403 "));
    EXPECT_THAT(reply, HasSubstr("This request and those before it to the same host hold, together, a secret (github-pat)"));
  }
  EXPECT_EQ(bench.origin.connections(), 3);
  auto const found = bench.gateway.wait_for<DlpFinding>(2);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].place, "requests");
  EXPECT_THAT(get("a.wild.example.com", "/?p=" + part(3)), StartsWith("HTTP/1.1 200 ")) << "the end alone is no secret";
}

TEST(DlpInspection, SecretCutOverShortBodiesIsRefusedWithItsLastPart) {
  for (auto const& [host, status] : std::vector<std::pair<std::string, std::string>>{
           {"web.example.com", "HTTP/1.1 403 "}, {"redact.example.com", "HTTP/1.1 403 "}, {"alert.example.com", "HTTP/1.1 200 "}, {"off.example.com", "HTTP/1.1 200 "}}) {
    SCOPED_TRACE(host);
    Bench bench;
    auto const body = [&](std::size_t from, std::size_t bytes) { return R"({"n":)" + std::to_string(from) + R"(,"data":")" + bench.secret.substr(from, bytes) + R"("})"; };
    EXPECT_THAT(bench.post(host, body(0, 20)), StartsWith("HTTP/1.1 200 "));
    EXPECT_THAT(bench.post(host, body(20, 12)), StartsWith("HTTP/1.1 200 "));
    EXPECT_THAT(bench.post(host, body(32, 8)), StartsWith(status));
  }
}

TEST(DlpInspection, SecretCutOverCompressedBodiesIsRefusedWithItsLastPart) {
  Bench bench;
  auto const post = [&](std::size_t from, std::size_t bytes) {
    auto const body = packed(R"({"data":")" + bench.secret.substr(from, bytes) + R"("})", Packed::gzip);
    return bench.post("web.example.com", body, "Content-Encoding: gzip\r\n");
  };
  EXPECT_THAT(post(0, 20), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(post(20, 12), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(post(32, 8), StartsWith("HTTP/1.1 403 "));
}

/// Answers with the head that it received.
void reflect_head(int fd) {
  auto const head = receive_until(fd, "\r\n\r\n");
  send_all(fd, "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(head.size()) + "\r\n\r\n" + head);
}

/// Each request of the rule `redact`: what its server got, or the refusal.
struct RedactingBench {
  Origin origin{reflect_head};
  GatewayHarness gateway{kDlpRules, {"redact.example.com:80:127.0.0.1:" + std::to_string(origin.port())}};
  std::string secret = dlp::expand_example("ghp_<b62*30><crc62>", 7).value();
  std::string get(std::string const& target, std::string const& fields = {}) {
    return ask(gateway.proxy_port(), "GET http://redact.example.com" + target + " HTTP/1.1\r\nHost: redact.example.com\r\nConnection: close\r\n" + fields + "\r\n");
  }
};

TEST(DlpInspection, SecretInTheQueryAndInFieldsIsOverwrittenWhereTheRuleSaysSo) {
  RedactingBench bench;
  auto const reply = bench.get("/a?k=" + bench.secret + "&x=1", "X-Key: " + bench.secret + "\r\nCookie: a=b; t=" + bench.secret + "; c=d\r\n");
  EXPECT_THAT(reply, StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(reply, Not(HasSubstr(bench.secret)));
  std::string const placeholder = "REDACTED-github-pat---------------------";
  EXPECT_THAT(reply, HasSubstr("GET /a?k=" + placeholder + "&x=1 HTTP/1.1\r\n"));
  EXPECT_THAT(reply, HasSubstr("X-Key: " + placeholder + "\r\n"));
  EXPECT_THAT(reply, HasSubstr("Cookie: a=b; t=" + placeholder + "; c=d\r\n"));
  auto const found = bench.gateway.wait_for<DlpFinding>(1);
  ASSERT_GE(found.size(), 1U);
  EXPECT_EQ(found[0].action, "redact");
}

TEST(DlpInspection, SecretWhereNothingElseMayStandIsRefusedAllTheSame) {
  RedactingBench bench;
  auto const base64 = [](std::string const& text) {
    std::string out(4 * ((text.size() + 2) / 3), '\0');
    EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()), reinterpret_cast<unsigned char const*>(text.data()), static_cast<int>(text.size()));
    return out;
  };
  EXPECT_THAT(bench.get("/a/" + bench.secret + "?x=1"), StartsWith("HTTP/1.1 403 ")) << "the path is what the policy allowed";
  EXPECT_THAT(bench.get("/", "X-" + bench.secret + ": 1\r\n"), StartsWith("HTTP/1.1 403 ")) << "a name of a field";
  EXPECT_THAT(bench.get("/?k=" + bench.secret, "X-" + bench.secret + ": 1\r\n"), StartsWith("HTTP/1.1 403 ")) << "in both";
  EXPECT_THAT(bench.get("/", "X-Key: " + base64("key " + bench.secret) + "\r\n"), StartsWith("HTTP/1.1 403 ")) << "coded";
  EXPECT_EQ(bench.origin.connections(), 0);
}

/// A gateway whose origin answers `answer`.
struct ResponseBench {
  explicit ResponseBench(std::string answer, std::string dlp = "dlp: {responses: true}\n")
      : origin([answer](int fd) {
          receive_until(fd, "\r\n\r\n");
          send_all(fd, answer);
        }),
        gateway(kDlpRules + dlp, {"web.example.com:80:127.0.0.1:" + std::to_string(origin.port()),
                                  "redact.example.com:80:127.0.0.1:" + std::to_string(origin.port()),
                                  "off.example.com:80:127.0.0.1:" + std::to_string(origin.port())}) {}
  std::string get_from(std::string const& host) {
    return ask(gateway.proxy_port(), "GET http://" + host + "/ HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
  }

  Origin origin;
  GatewayHarness gateway;
};

std::string secret_to_come_back() { return dlp::expand_example("ghp_<b62*30><crc62>", 7).value(); }
std::string answer_of(std::string const& fields, std::string const& body) {
  return "HTTP/1.1 200 OK\r\n" + fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

TEST(DlpInspection, SecretThatComesBackIsRefusedInTheServersPlace) {
  auto const secret = secret_to_come_back();
  for (auto const& [answer, place] : std::vector<std::pair<std::string, std::string>>{
           {answer_of("", "k=" + secret), "response body"},
           {answer_of("Set-Cookie: a=" + secret + "\r\n", "hello"), "response header"},
           {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-T: " + secret + "\r\n\r\n", "response trailer"}}) {
    ResponseBench bench(answer);
    auto const reply = bench.get_from("web.example.com");
    EXPECT_THAT(reply, StartsWith("HTTP/1.1 403 "));
    EXPECT_THAT(reply, HasSubstr("Sallyport-Reason: secret_found"));
    EXPECT_THAT(reply, Not(HasSubstr(secret)));
    auto const found = bench.gateway.wait_for<DlpFinding>(1);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].place, place);
    EXPECT_EQ(found[0].action, "block");
    auto const done = bench.gateway.wait_for<audit::EgressDone>(1);
    ASSERT_EQ(done.size(), 1U);
    EXPECT_EQ(done[0].reason, "secret_found");
  }
}

TEST(DlpInspection, SecretThatComesBackIsOverwrittenWhereTheRuleSaysSo) {
  auto const secret = secret_to_come_back();
  ResponseBench bench(answer_of("", "k=" + secret + ";"));
  auto const reply = bench.get_from("redact.example.com");
  EXPECT_THAT(reply, HasSubstr("200 OK"));
  EXPECT_THAT(reply, HasSubstr("k=REDACTED-github-pat-"));
  EXPECT_THAT(reply, Not(HasSubstr(secret)));
}

TEST(DlpInspection, WhatHoldsNoSecretComesBackAsItIs) {
  std::string const body(300'000, 'x');
  ResponseBench bench(answer_of("X-Field: 1\r\n", body));
  auto const reply = bench.get_from("web.example.com");
  EXPECT_THAT(reply, HasSubstr("X-Field: 1"));
  EXPECT_TRUE(reply.ends_with("\r\n\r\n" + body));
}

TEST(DlpInspection, ResponsesOfRulesWithDlpOffAndOfOtherPoliciesAreNotLookedAt) {
  auto const answer = answer_of("", "k=" + secret_to_come_back());
  ResponseBench bench(answer);
  EXPECT_THAT(bench.get_from("off.example.com"), HasSubstr(secret_to_come_back()));
  ResponseBench other(answer, {});
  EXPECT_THAT(other.get_from("web.example.com"), HasSubstr(secret_to_come_back()));
}

/// Events pass when they are whole; a secret cut over two of them does not.
TEST(DlpInspection, EventsComeBackOneByOne) {
  auto const secret = secret_to_come_back();
  std::promise<void> read;
  Origin origin([&](int fd) {
    receive_until(fd, "\r\n\r\n");
    send_all(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: first\n\n");
    read.get_future().wait();
    send_all(fd, "data: " + secret.substr(0, 20) + "\n\ndata: " + secret.substr(20) + "\n\n");
  });
  GatewayHarness gateway(kDlpRules + std::string("dlp: {responses: true}\n"), {"web.example.com:80:127.0.0.1:" + std::to_string(origin.port())});
  auto const client = connect_to(gateway.proxy_port());
  send_all(client.get(), get("http://web.example.com/", "web.example.com"));
  EXPECT_THAT(receive_until(client.get(), "data: first\n\n"), HasSubstr("data: first")) << "before there is another event";
  read.set_value();
  EXPECT_THAT(receive_to_end(client.get()), Not(HasSubstr(secret.substr(20))));
  auto const found = gateway.wait_for<DlpFinding>(1);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].place, "response body");
}

TEST(DlpInspection, SecretInTheHeadIsRefused) {
  for (auto const& [line, field, place] : std::vector<std::array<std::string, 3>>{
           {"/?q=SECRET", "X: 1", "url"}, {"/SECRET", "X: 1", "url"}, {"/", "Cookie: a=SECRET", "header"}}) {
    Bench bench;
    auto request = "GET http://web.example.com" + line + " HTTP/1.1\r\nHost: web.example.com\r\n" + field + "\r\n\r\n";
    request.replace(request.find("SECRET"), 6, bench.secret);
    EXPECT_THAT(ask(bench.gateway.proxy_port(), request), HasSubstr("Sallyport-Reason: secret_found"));
    EXPECT_EQ(bench.only_finding().place, place);
    EXPECT_EQ(bench.origin.connections(), 0);
  }
}

TEST(DlpInspection, SecretInTheLabelsOfANameIsRefused) {
  Bench bench;
  EXPECT_THAT(bench.post("a.wild.example.com", ""), HasSubstr("200 OK"));
  auto const hex = [&] {
    std::string digits;
    for (unsigned char const c : bench.secret) digits += {"0123456789abcdef"[c >> 4], "0123456789abcdef"[c & 15]};
    return digits.substr(0, 60) + "." + digits.substr(60) + ".wild.example.com";
  }();
  auto const refused = ask(bench.gateway.proxy_port(), get("http://" + hex + "/", hex));
  EXPECT_THAT(refused, HasSubstr("Sallyport-Reason: secret_found"));
  EXPECT_EQ(bench.only_finding().place, "host");
}

TEST(DlpInspection, SecretMayGoToItsVendor) {
  Bench bench;
  EXPECT_THAT(bench.post("api.github.com", "{}", "Authorization: token " + bench.secret + "\r\n"), HasSubstr("200 OK"));
  EXPECT_THAT(bench.post("web.example.com", "{}", "Authorization: token " + bench.secret + "\r\n"), HasSubstr("secret_found"));
}

TEST(DlpInspection, AlertPassesTheBodyUnchangedAndRecordsIt) {
  Bench bench;
  EXPECT_THAT(bench.post("alert.example.com", "k=" + bench.secret), HasSubstr("\r\n\r\nk=" + bench.secret));
  EXPECT_EQ(bench.only_finding().action, "alert");
}

TEST(DlpInspection, OffLooksAtNothing) {
  Bench bench;
  EXPECT_THAT(bench.post("off.example.com", "k=" + bench.secret), HasSubstr("\r\n\r\nk=" + bench.secret));
  EXPECT_EQ(bench.gateway.wait_for<audit::EgressDone>(1).size(), 1U);
  EXPECT_TRUE(bench.gateway.wait_for<DlpFinding>(0).empty());
}

TEST(DlpInspection, RedactedBodyIsAsLongAndHoldsNoneOfThem) {
  Bench bench;
  auto const reply = bench.post("redact.example.com", R"({"a":")" + bench.secret + R"(","b":")" + bench.secret + R"(","c":1})");
  auto const mask = "REDACTED-github-pat" + std::string(21, '-');
  EXPECT_THAT(reply, HasSubstr(R"({"a":")" + mask + R"(","b":")" + mask + R"(","c":1})"));
}

TEST(DlpInspection, SecretFarBehindInALargeBodyIsNeverSent) {
  Bench bench;
  std::string body(700'000, 'x');
  body.replace(400'000, bench.secret.size() + 2, " " + bench.secret + " ");
  EXPECT_THAT(bench.post("web.example.com", body), HasSubstr("Sallyport-Reason: secret_found"));
  auto const done = bench.gateway.wait_for<audit::EgressDone>(1);
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(done[0].reason, "secret_found");
  EXPECT_LE(done[0].bytes_up, 400'000U);
}

TEST(DlpInspection, LargeCleanBodyPassesUnchanged) {
  Bench bench;
  std::string body;
  for (int i = 0; body.size() < 700'000; ++i) body += "line " + std::to_string(i) + "\n";
  auto const reply = bench.post("web.example.com", body);
  EXPECT_TRUE(reply.ends_with("\r\n\r\n" + body));
}

TEST(DlpInspection, BodyThatCannotBeReadIsRefused) {
  Bench bench;
  EXPECT_THAT(bench.post("web.example.com", "abc", "Content-Encoding: compress\r\n"), HasSubstr("Sallyport-Reason: unreadable_body"));
  EXPECT_THAT(bench.post("alert.example.com", "abc", "Content-Encoding: compress\r\n"), HasSubstr("200 OK"));
  EXPECT_THAT(bench.post("web.example.com", "abc", "Content-Encoding: identity\r\n"), HasSubstr("200 OK"));
}

TEST(DlpInspection, TrailersAreLookedAt) {
  Bench bench;
  auto const reply = ask(bench.gateway.proxy_port(),
                         "POST http://web.example.com/ HTTP/1.1\r\nHost: web.example.com\r\nTransfer-Encoding: chunked\r\n\r\n"
                         "2\r\nok\r\n0\r\nX-T: " + bench.secret + "\r\n\r\n");
  EXPECT_THAT(reply, HasSubstr("Sallyport-Reason: secret_found"));
  EXPECT_EQ(bench.only_finding().place, "trailer");
}

TEST(DlpInspection, SecretInATrailerIsRefusedWhereTheRuleRedacts) {
  Bench bench;
  auto const reply = ask(bench.gateway.proxy_port(),
                         "POST http://redact.example.com/ HTTP/1.1\r\nHost: redact.example.com\r\nTransfer-Encoding: chunked\r\n\r\n"
                         "2\r\nok\r\n0\r\nX-T: " + bench.secret + "\r\n\r\n");
  EXPECT_THAT(reply, HasSubstr("Sallyport-Reason: secret_found")) << "it is no part of the body that could be overwritten";
  EXPECT_EQ(bench.only_finding().action, "block");
  EXPECT_EQ(bench.origin.connections(), 0);
}

TEST(DlpInspection, WhoeverWaitsForAContinueIsToldToSend) {
  Bench bench;
  auto const client = connect_to(bench.gateway.proxy_port());
  send_all(client.get(), "POST http://web.example.com/ HTTP/1.1\r\nHost: web.example.com\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
  EXPECT_THAT(receive_until(client.get(), "\r\n\r\n"), StartsWith("HTTP/1.1 100 "));
  send_all(client.get(), "body");
  EXPECT_THAT(receive_until(client.get(), "\r\n\r\n"), StartsWith("HTTP/1.1 200 "));
  EXPECT_EQ(receive(client.get(), 4), "body");
}

}  // namespace
}  // namespace sallyport::tests
