#include "proxy/tls_layer.hpp"

#include "proxy/client_tls.hpp"
#include "tests/proxy/stream_pair.hpp"
#include "tests/proxy/tls_peer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace sallyport::proxy {
namespace {

using tests::StreamPair;
using tests::TlsPeer;

/// A Stream that is the server's side, and what a client does meanwhile in a thread of its own.
struct Session {
  SessionCa ca = make_session_ca(std::chrono::system_clock::now()).value();
  std::string certificate = ca.certificate;
  ClientTls tls{std::move(ca)};
  StreamPair pair;

  Result<void> accept() {
    pair.stream.start_tls(tls.accept(policies::CanonicalHost::from("a.example").value()).value());
    return tests::run(pair.io, pair.stream.handshake());
  }
};

TEST(TlsLayer, BytesThatWereReadBeforeAreReplayed) {
  Session session;
  std::string got;
  std::thread client([&] {
    TlsPeer peer(session.pair.client.get(), "a.example", session.certificate);
    peer.send("ping");
    got = peer.receive(4);
  });
  ASSERT_TRUE(tests::run(session.pair.io, session.pair.stream.read_more()));  // the ClientHello
  ASSERT_TRUE(session.accept());
  ASSERT_TRUE(tests::run(session.pair.io, session.pair.stream.read_more()));
  EXPECT_EQ(session.pair.stream.buffered(), "ping");
  ASSERT_TRUE(tests::run(session.pair.io, session.pair.stream.write("pong")));
  client.join();
  EXPECT_EQ(got, "pong");
}

TEST(TlsLayer, ThreadsAnswerForNamesTogether) {
  ClientTls tls{make_session_ca(std::chrono::system_clock::now()).value()};
  std::atomic<int> answered = 0;
  auto const work = [&] {
    for (int i = 0; i < 400; ++i) {
      auto const ssl = tls.accept(policies::CanonicalHost::from("h" + std::to_string(i % 80) + ".example").value());
      if (ssl && SSL_get_certificate(ssl->get()) != nullptr) ++answered;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  }
  EXPECT_EQ(answered, 1600);
}

TEST(TlsLayer, ManyRecordsBothWaysStayWhole) {
  Session session;
  std::string const sent(4 * 1024 * 1024, 'z');
  std::string back;
  std::thread client([&] {
    TlsPeer peer(session.pair.client.get(), "a.example", session.certificate);
    back = peer.receive(sent.size());
    peer.send(back);
  });
  ASSERT_TRUE(session.accept());
  ASSERT_TRUE(tests::run(session.pair.io, session.pair.stream.write(sent)));
  std::string received;
  while (received.size() < sent.size()) {
    ASSERT_TRUE(tests::run(session.pair.io, session.pair.stream.read_more()));
    received.append(session.pair.stream.buffered());
    session.pair.stream.consume(session.pair.stream.buffered().size());
  }
  client.join();
  EXPECT_TRUE(back == sent && received == sent);
}

TEST(TlsLayer, AlertOfTheOtherSideIsTheReason) {
  Session session;
  std::thread client([&] { TlsPeer const peer(session.pair.client.get(), "a.example", {}); });
  EXPECT_FALSE(session.accept());
  client.join();
  EXPECT_EQ(session.pair.stream.tls()->failure().alert, SSL_AD_UNKNOWN_CA);
}

TEST(TlsLayer, OrderlyEndIsTheEndAndACutIsNot) {
  for (bool const orderly : {true, false}) {
    Session session;
    std::thread client([&] {
      TlsPeer peer(session.pair.client.get(), "a.example", session.certificate);
      if (orderly) peer.close_notify();
      tests::shutdown_send(session.pair.client.get());
    });
    ASSERT_TRUE(session.accept());
    auto const end = tests::run(session.pair.io, session.pair.stream.read_more());
    client.join();
    EXPECT_EQ(end.error().code, orderly ? Code::closed : Code::invalid);
    EXPECT_EQ(session.pair.stream.tls()->failure().closed, !orderly);
  }
}

TEST(TlsLayer, PlainBytesAreNoHandshake) {
  Session session;
  tests::send_all(session.pair.client.get(), "GET / HTTP/1.1\r\n\r\n");
  EXPECT_FALSE(session.accept());
  EXPECT_FALSE(session.pair.stream.tls()->failure().closed);
}

}  // namespace
}  // namespace sallyport::proxy
