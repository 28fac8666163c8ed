#include "proxy/inspected_requester.hpp"

#include "policies/engine.hpp"
#include "proxy/http1_requester.hpp"
#include "tests/policies/load_text.hpp"
#include "tests/proxy/stream_pair.hpp"
#include "tests/proxy/whole_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sallyport::tests {
namespace {

using proxy::InspectedMessage;

/// Forbids heads and bodies that hold "secret".
class Words final : public proxy::Inspection {
  proxy::Attempt<std::vector<proxy::HeadReplacement>> inspect_head(InspectedMessage const&, std::string_view head) override {
    if (head.find("secret") == std::string_view::npos) return std::vector<proxy::HeadReplacement>();
    return proxy::refusal(403, policies::reason::kSecret, "found");
  }
  proxy::Attempt<std::unique_ptr<proxy::BodyInspector>> inspect_body(InspectedMessage const&, proxy::BodyForm form) override {
    if (form.content_coding == "odd") return proxy::refusal(403, policies::reason::kUnreadable, "odd");
    return std::unique_ptr<proxy::BodyInspector>(std::make_unique<WholeText>());
  }
};

awaitable<std::string> read_answer(proxy::InspectedRequester& requester) {
  auto head = co_await requester.read_head();
  if (!head) co_return requester.refusal() ? requester.refusal()->verdict.reason : head.error().what;
  auto seen = std::to_string(head->status) + " ";
  for (bool last = head->status < 200; !last;) {
    auto piece = co_await requester.response_body().read();
    if (!piece) break;
    seen += piece->content;
    last = piece->last;
  }
  co_return seen;
}

/// What a client would get of `answer`: the reason of a refusal, or the status and the body.
std::string seen_of(std::string const& answer) {
  asio::io_context io;
  auto const listener = bound_socket(SocketKind::stream);
  auto server = connect_to(port_of(listener));
  auto stream = accepted_stream(io, listener);
  send_all(server.get(), answer);
  shutdown_send(server.get());
  policies::Engine const engine{policies::policy_of({"{name: r, hosts: [a.example]}"})};
  auto const permit =
      engine.decide({policies::host_of("a.example"), 443, policies::Scheme::https, "GET", policies::CanonicalPath::from("/").value()}).value();
  Words inspection;
  proxy::Http1Requester bare(stream, nullptr);
  proxy::InspectedRequester requester(bare, inspection, {1, permit, {}, proxy::Direction::response}, std::chrono::seconds(10));
  return run(io, read_answer(requester));
}

TEST(InspectedRequester, WhatIsHarmlessComesThrough) {
  EXPECT_EQ(seen_of("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), "200 hello");
  EXPECT_EQ(seen_of("HTTP/1.1 204 No Content\r\n\r\n"), "204 ");
  EXPECT_EQ(seen_of("HTTP/1.1 103 Early Hints\r\n\r\n"), "103 ");
}

TEST(InspectedRequester, SecretsInHeadAndBodyAreRefusedWithTheHead) {
  EXPECT_EQ(seen_of("HTTP/1.1 200 OK\r\nX: secret\r\nContent-Length: 0\r\n\r\n"), "secret_found");
  EXPECT_EQ(seen_of("HTTP/1.1 103 Early Hints\r\nLink: secret\r\n\r\n"), "secret_found");
  EXPECT_EQ(seen_of("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\na secret !"), "secret_found");
  EXPECT_EQ(seen_of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nsec\r\n3\r\nret\r\n0\r\n\r\n"), "secret_found");
}

TEST(InspectedRequester, BodyThatCannotBeReadIsRefused) {
  EXPECT_EQ(seen_of("HTTP/1.1 200 OK\r\nContent-Encoding: odd\r\nContent-Length: 1\r\n\r\nx"), "unreadable_body");
}

}  // namespace
}  // namespace sallyport::tests
