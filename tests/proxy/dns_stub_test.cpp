#include "proxy/dns_stub.hpp"

#include "proxy/adopt_socket.hpp"
#include "tests/proxy/fake_audit.hpp"

#include <boost/asio/post.hpp>

#include <gtest/gtest.h>

#include <sys/socket.h>

#include <memory>
#include <string>
#include <thread>

namespace sallyport::proxy {
namespace {

using tests::SocketKind;
using tests::Writing;

std::shared_ptr<policies::Policy const> policy() {
  auto rule = std::make_shared<policies::Rule>();
  rule->hosts = {"a.example"};
  rule->ports = {443};
  rule->inspect = policies::Inspect::sni;
  rule->action = policies::Action::allow;
  auto made = std::make_shared<policies::Policy>();
  made->network = policies::Network::restricted;
  made->rules = {rule};
  return made;
}

void fail_test(std::exception_ptr) { ADD_FAILURE() << "an exception left a task"; }

/// A stub on loopback ports, served by a thread of its own.
class RunningStub {
 public:
  explicit RunningStub(Writing writing, std::size_t names = 10) : audit_(io_, writing), names_({0xfd}, names) {
    auto udp = tests::bound_socket(SocketKind::datagram);
    auto tcp = tests::bound_socket(SocketKind::stream);
    udp_port_ = tests::port_of(udp);
    tcp_port_ = tests::port_of(tcp);
    doors_.start(stub_.serve_udp(adopt_udp(io_, std::move(udp)).value()));
    doors_.start(stub_.accept_tcp(adopt_acceptor(io_, std::move(tcp)).value()));
    thread_ = std::thread([this] { io_.run(); });
  }
  ~RunningStub() {
    asio::post(io_, [this] {
      doors_.cancel_all();
      connections_.cancel_all();
    });
    thread_.join();
  }
  RunningStub(RunningStub const&) = delete;
  RunningStub& operator=(RunningStub const&) = delete;

  tests::FakeAudit& audit() { return audit_; }
  std::uint16_t udp_port() const { return udp_port_; }
  std::uint16_t tcp_port() const { return tcp_port_; }

 private:
  asio::io_context io_;
  tests::FakeAudit audit_;
  std::uint16_t udp_port_ = 0;
  std::uint16_t tcp_port_ = 0;
  policies::Engine engine_{policy()};
  SyntheticNames names_;
  Trails trails_;
  DlpInspection inspection_{{}, {}, trails_, audit_};
  NameBudget budget_;
  NameGuard guard_{engine_, inspection_, budget_, audit_};
  DnsResponder responder_{engine_, names_, guard_};
  TaskSet doors_{io_.get_executor(), fail_test};
  TaskSet connections_{io_.get_executor(), fail_test};
  DnsStub stub_{{responder_, audit_, connections_}};
  std::thread thread_;
};

/// A question for the A record of a name of two labels of one and seven bytes.
std::string question(char id, std::string const& first_label = "a") {
  using namespace std::string_literals;
  auto const length = static_cast<char>(first_label.size());
  return "\0"s + id + "\1\0\0\1\0\0\0\0\0\0"s + length + first_label + "\7example\0\0\1\0\1"s;
}

std::string framed(std::string const& message) {
  return std::string{static_cast<char>(message.size() >> 8), static_cast<char>(message.size() & 0xff)} + message;
}

std::string received_frame(int fd) {
  auto const length = tests::receive(fd, 2);
  if (length.size() < 2) return {};
  return tests::receive(fd,
                        std::size_t{static_cast<unsigned char>(length[0])} << 8 | static_cast<unsigned char>(length[1]));
}

std::string datagram(int fd) {
  std::string bytes(4096, '\0');
  auto const got = ::recv(fd, bytes.data(), bytes.size(), 0);
  bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bytes;
}

bool nothing_to_receive(int fd) {
  char byte;
  return ::recv(fd, &byte, 1, MSG_DONTWAIT | MSG_PEEK) < 0 && errno == EAGAIN;
}

bool answers(std::string const& answer, char id) {
  return answer.size() > 12 && answer[1] == id && (answer[2] & 0x80) != 0 && (answer[3] & 0x0f) == 0;
}

TEST(DnsStub, AnswersFromTheAddressThatWasAskedAndRecordsWhoAsked) {
  RunningStub stub(Writing::at_once);
  auto const client = tests::connect_to(stub.udp_port(), SocketKind::datagram);  // connected: hears this address only
  tests::send_all(client.get(), question(7));
  auto const answer = datagram(client.get());
  EXPECT_TRUE(answers(answer, 7));
  EXPECT_TRUE(answer.ends_with(std::string("\xc6\x12\x00\x01", 4)));  // 198.18.0.1
  auto const records = stub.audit().wait_for<audit::DnsQuery>(1);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].name, "a.example");
  EXPECT_EQ(records[0].verdict, "allow");
  EXPECT_EQ(records[0].flow, (audit::Flow{"udp", "127.0.0.1", tests::port_of(client), "127.0.0.1", stub.udp_port()}));
}

TEST(DnsStub, NoAnswerLeavesBeforeItsRecordIsWritten) {
  RunningStub stub(Writing::held);
  auto const udp = tests::connect_to(stub.udp_port(), SocketKind::datagram);
  auto const tcp = tests::connect_to(stub.tcp_port());
  tests::send_all(udp.get(), question(1));
  tests::send_all(tcp.get(), framed(question(2)));
  ASSERT_EQ(stub.audit().wait_for<audit::DnsQuery>(2).size(), 2U);
  EXPECT_TRUE(nothing_to_receive(udp.get()));
  EXPECT_TRUE(nothing_to_receive(tcp.get()));
  stub.audit().release();
  EXPECT_TRUE(answers(datagram(udp.get()), 1));
  EXPECT_TRUE(answers(received_frame(tcp.get()), 2));
}

TEST(DnsStub, NoAnswerWhenTheRecordCannotBeWritten) {
  RunningStub stub(Writing::failing);
  auto const tcp = tests::connect_to(stub.tcp_port());
  tests::send_all(tcp.get(), framed(question(1)));
  EXPECT_EQ(tests::receive_to_end(tcp.get()), "");
  auto const udp = tests::connect_to(stub.udp_port(), SocketKind::datagram);
  tests::send_all(udp.get(), question(2));
  tests::send_all(udp.get(), question(3));  // read only after the first was dealt with
  EXPECT_EQ(stub.audit().wait_for<audit::DnsQuery>(3).size(), 3U);
  EXPECT_TRUE(nothing_to_receive(udp.get()));
}

TEST(DnsStub, OneConnectionAsksSeveralQuestionsCutInAnyWay) {
  RunningStub stub(Writing::at_once);
  auto const client = tests::connect_to(stub.tcp_port());
  auto const three = framed(question(1)) + framed(question(2)) + framed(question(3));
  tests::send_all(client.get(), three.substr(0, 1));
  tests::send_all(client.get(), three.substr(1, 40));
  tests::send_all(client.get(), three.substr(41));
  for (char id = 1; id <= 3; ++id) EXPECT_TRUE(answers(received_frame(client.get()), id)) << int{id};
  auto const records = stub.audit().wait_for<audit::DnsQuery>(3);
  ASSERT_EQ(records.size(), 3U);
  for (auto const& record : records) {
    EXPECT_EQ(record.flow, (audit::Flow{"tcp", "127.0.0.1", tests::port_of(client), "127.0.0.1", stub.tcp_port()}));
  }
}

TEST(DnsStub, NonsenseEndsOnlyItsOwnConnection) {
  RunningStub stub(Writing::at_once);
  for (auto const& bytes :
       {framed("short"), framed(""), std::string("\xff\xff"), std::string("\x20\x00", 2) + question(1)}) {
    auto const client = tests::connect_to(stub.tcp_port());
    tests::send_all(client.get(), bytes);
    EXPECT_EQ(tests::receive_to_end(client.get()), "");
  }
  auto const client = tests::connect_to(stub.tcp_port());
  tests::send_all(client.get(), framed(question(9)));
  EXPECT_TRUE(answers(received_frame(client.get()), 9));
}

TEST(DnsStub, NonsenseIsPassedOverByUdp) {
  RunningStub stub(Writing::at_once);
  auto const client = tests::connect_to(stub.udp_port(), SocketKind::datagram);
  for (auto const& bytes : {std::string("short"), std::string(12, '\xff'), std::string(9000, '\0')}) {
    ::send(client.get(), bytes.data(), bytes.size(), 0);
  }
  ::send(client.get(), "", 0, 0);
  tests::send_all(client.get(), question(9));
  auto answer = datagram(client.get());
  while (!answer.empty() && !answers(answer, 9)) answer = datagram(client.get());  // error answers may come first
  EXPECT_TRUE(answers(answer, 9));
}

TEST(DnsStub, NoSyntheticAddressLeftIsReportedOnceASecond) {
  RunningStub stub(Writing::at_once, 0);
  auto const client = tests::connect_to(stub.udp_port(), SocketKind::datagram);
  for (char id = 1; id <= 3; ++id) {
    tests::send_all(client.get(), question(id));
    EXPECT_EQ(datagram(client.get())[3] & 0x0f, 2) << "SERVFAIL";
  }
  auto const hits = stub.audit().wait_for<audit::LimitHit>(1);
  ASSERT_FALSE(hits.empty());
  EXPECT_EQ(hits[0].limit, "synthetic_names");
  EXPECT_LT(hits.size(), 3U);
}

}  // namespace
}  // namespace sallyport::proxy
