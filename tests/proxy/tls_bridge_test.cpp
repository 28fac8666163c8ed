#include "proxy/tls_bridge.hpp"

#include "proxy/client_tls.hpp"
#include "tests/proxy/stream_pair.hpp"
#include "tests/proxy/tls_peer.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace sallyport::proxy {
namespace {

/// A bridge to a TLS peer that `peer` plays, in a thread of its own.
struct Bridged {
  SessionCa ca = make_session_ca(std::chrono::system_clock::now()).value();
  std::string certificate = ca.certificate;
  ClientTls tls{std::move(ca)};
  tests::StreamPair pair;
  TaskSet tasks{pair.io.get_executor(), [](std::exception_ptr) { ADD_FAILURE() << "a task threw"; }};
  std::thread peer;
  std::optional<Stream> plain;

  template <class Play>
  explicit Bridged(Play play) {
    peer = std::thread([this, play] {
      tests::TlsPeer other(pair.client.get(), "a.example", certificate);
      play(other);
    });
    pair.stream.start_tls(tls.accept(policies::CanonicalHost::from("a.example").value()).value());
    EXPECT_TRUE(tests::run(pair.io, pair.stream.handshake()));
    plain.emplace(bridge_tls(std::move(pair.stream), tasks, pair.io.get_executor()).value());
  }
  ~Bridged() {
    plain->close();
    pair.io.restart();
    while (tasks.size() > 0 && pair.io.run_one() != 0) {}
    EXPECT_EQ(tasks.size(), 0U) << "the bridge ends with its socket";
    peer.join();
  }
};

TEST(TlsBridge, CarriesBytesBothWaysAndPassesTheEndOn) {
  std::string const sent(1024 * 1024, 'z');
  std::string received;
  Bridged bridged([&](tests::TlsPeer& peer) {
    received = peer.receive(sent.size());
    peer.send("pong");
    peer.close_notify();
    peer.receive_to_end();
  });
  auto& plain = *bridged.plain;
  EXPECT_TRUE(tests::run(bridged.pair.io, plain.write(sent)));
  EXPECT_TRUE(tests::run(bridged.pair.io, plain.read_more()));
  EXPECT_EQ(plain.buffered(), "pong");
  EXPECT_EQ(tests::run(bridged.pair.io, plain.read_more()).error().code, Code::closed);
  EXPECT_EQ(received, sent);
}

TEST(TlsBridge, SocketThatIsClosedEndsTheConnection) {
  bool ended = false;
  {
    Bridged const bridged([&](tests::TlsPeer& peer) {
      ended = peer.receive_to_end().empty();
      peer.close_notify();
    });
  }
  EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace sallyport::proxy
