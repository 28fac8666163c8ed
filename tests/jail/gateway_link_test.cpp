#include "jail/gateway_link.hpp"

#include "base/limits.hpp"
#include "tests/jail/memory_sink.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <array>
#include <optional>

namespace sallyport::jail {
namespace {

using namespace std::chrono_literals;
namespace channel = audit::channel;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using State = GatewayLink::State;

class GatewayLinkTest : public ::testing::Test {
 protected:
  GatewayLinkTest() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
    gateway_.emplace(*UniqueFd::adopt(ends[0], "gateway"));
    link_.emplace(*UniqueFd::adopt(ends[1], "supervisor"), sink_);
  }
  void send_bytes(std::string const& bytes) {
    ASSERT_EQ(::send(gateway_->get(), bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }
  void send(channel::ToSupervisor const& message) { send_bytes(channel::encode(message)); }
  /// Tickets up to which was acknowledged.
  std::vector<std::uint64_t> acknowledged() {
    std::vector<std::uint64_t> out;
    std::array<char, 4096> buffer{};
    for (ssize_t got; (got = ::recv(gateway_->get(), buffer.data(), buffer.size(), MSG_DONTWAIT)) > 0;) {
      auto const message = channel::decode_to_gateway({buffer.data(), static_cast<std::size_t>(got)});
      if (auto const* written = std::get_if<channel::Written>(&*message)) out.push_back(written->ticket);
    }
    return out;
  }
  Result<State> handle() { return link_->handle_messages(identify_); }
  void ends_the_session(std::string const& bytes) {
    send_bytes(bytes);
    EXPECT_FALSE(handle()) << bytes;
  }
  void is_not_ready(std::string const& bytes, std::string const& why) {
    send_bytes(bytes);
    auto const ready = link_->await_ready(1s);
    ASSERT_FALSE(ready) << bytes;
    EXPECT_THAT(ready.error().what, HasSubstr(why));
  }

  MemorySink sink_;
  IdentifyProcess identify_ = [](audit::Flow const&) { return std::nullopt; };
  std::optional<UniqueFd> gateway_;
  std::optional<GatewayLink> link_;
};

audit::EgressRequest request_to(std::string host) {
  audit::EgressRequest event;
  event.host = std::move(host);
  event.verdict = "deny";
  return event;
}

TEST_F(GatewayLinkTest, TellsWhoAsks) {
  auto const answer_to = [&](std::optional<audit::Process> process) {
    identify_ = [&](audit::Flow const& flow) { return flow.local_port == 4000 ? process : std::nullopt; };
    send(channel::WhoAsks{7, audit::Flow{"tcp", "10.0.0.1", 4000, "10.0.0.2", 443}});
    EXPECT_TRUE(handle());
    std::array<char, 8192> buffer{};
    auto const got = ::recv(gateway_->get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    return std::get<channel::Asker>(*channel::decode_to_gateway({buffer.data(), static_cast<std::size_t>(got)}));
  };
  auto const curl = answer_to(audit::Process{1, "/usr/bin/curl", {"curl", "https://a.example"}, {}});
  EXPECT_EQ(curl.ticket, 7U);
  EXPECT_EQ(curl.executable, "/usr/bin/curl");
  EXPECT_EQ(curl.script, "");
  auto const pip = answer_to(audit::Process{1, "/usr/bin/python3.11", {"/usr/bin/python3", "/usr/bin/pip", "install"}, {}});
  EXPECT_EQ(pip.executable, "/usr/bin/python3.11");
  EXPECT_EQ(pip.script, "/usr/bin/pip");
  auto const other = answer_to(audit::Process{1, "/usr/bin/curl", {"curl", "/usr/bin/pip", "https://a.example"}, {}});
  EXPECT_EQ(other.script, "") << "a path that it does not run";
  EXPECT_EQ(answer_to(audit::Process{1, "/opt/python-evil", {"python", "/usr/bin/pip"}, {}}).script, "");
  EXPECT_EQ(answer_to(std::nullopt).executable, "");
  EXPECT_EQ(answer_to(audit::Process{1, "/" + std::string(limits::kMaxAskerPathBytes, 'x'), {}, {}}).executable, "") << "no room for it";
}

TEST_F(GatewayLinkTest, HearsThatTheGatewayIsReady) {
  send(channel::Ready{});
  EXPECT_TRUE(link_->await_ready(1s));
}

TEST_F(GatewayLinkTest, SaysWhyTheGatewayIsNotReady) {
  is_not_ready(channel::encode(channel::ToSupervisor(channel::Fatal{"no memory"})), "gateway: no memory");
  is_not_ready(channel::encode(channel::ToSupervisor(channel::Record{1, request_to("a")})), "out of turn");
  is_not_ready("garbage", "");
  EXPECT_EQ(link_->await_ready(1ms).error().code, Code::limit);
  gateway_.reset();
  EXPECT_EQ(link_->await_ready(1s).error().code, Code::closed);
}

TEST_F(GatewayLinkTest, AcknowledgesAGroupOfRecordsAfterItIsWritten) {
  send(channel::Record{7, request_to("a.example")});
  send(channel::Record{0, request_to("b.example")});
  send(channel::Record{9, request_to("c.example")});
  auto const state = handle();
  ASSERT_TRUE(state) << state.error().what;
  EXPECT_EQ(*state, State::open);
  EXPECT_EQ(sink_.all<audit::EgressRequest>().size(), 3U);
  EXPECT_EQ(sink_.committed, 3U);
  EXPECT_THAT(acknowledged(), ElementsAre(9));
}

TEST_F(GatewayLinkTest, TakesEveryMessageOfAPacket) {
  auto const one = channel::encode(channel::ToSupervisor(channel::Record{3, request_to("a.example")}));
  auto const other = channel::encode(channel::ToSupervisor(channel::Record{4, request_to("b.example")}));
  send_bytes(one + "\n" + other);
  ASSERT_TRUE(handle());
  auto const written = sink_.all<audit::EgressRequest>();
  ASSERT_EQ(written.size(), 2U);
  EXPECT_EQ(written[1].host, "b.example");
  EXPECT_THAT(acknowledged(), ElementsAre(4));
  ends_the_session(one + "\n\n" + other);
}

TEST_F(GatewayLinkTest, AcknowledgesNothingThatCannotBeWritten) {
  send(channel::Record{7, request_to("a.example")});
  sink_.broken = true;
  EXPECT_FALSE(handle());
  EXPECT_THAT(acknowledged(), IsEmpty());
}

TEST_F(GatewayLinkTest, WritesWhatCameBeforeTheEnd) {
  send(channel::Record{7, request_to("a.example")});
  gateway_.reset();
  auto const state = handle();
  ASSERT_TRUE(state) << state.error().what;
  EXPECT_EQ(*state, State::closed);
  EXPECT_EQ(sink_.committed, 1U);
}

TEST_F(GatewayLinkTest, HasNothingToDoWithoutMessages) {
  auto const state = handle();
  ASSERT_TRUE(state);
  EXPECT_EQ(*state, State::open);
  EXPECT_THAT(sink_.events, IsEmpty());
}

TEST_F(GatewayLinkTest, NamesTheProcessBehindAConnection) {
  identify_ = [](audit::Flow const& flow) { return audit::Process{flow.local_port, "/bin/curl", {"curl"}, {3}}; };
  auto event = request_to("a.example");
  event.flow.local_port = 4711;
  send(channel::Record{7, event});
  ASSERT_TRUE(handle());
  ASSERT_EQ(sink_.events.size(), 1U);
  auto const process = sink_.all<audit::EgressRequest>().front().process;
  ASSERT_TRUE(process);
  EXPECT_EQ(process->pid, 4711);
}

TEST_F(GatewayLinkTest, HandsAPolicyOverAndWritesTheAnswerAtItsPlace) {
  auto const file = *UniqueFd::adopt(::memfd_create("policy", MFD_CLOEXEC), "memfd");
  ASSERT_TRUE(link_->send_policy("ci", file, [](channel::PolicyAnswer const& answer) {
    audit::PolicyReload record;
    record.policy_digest = answer.digest;
    return record;
  }));
  EXPECT_TRUE(link_->policy_pending());
  send(channel::Record{0, request_to("old.example")});
  send(channel::PolicyAnswer{"sha256:ab", 0, ""});
  send(channel::Record{0, request_to("new.example")});
  ASSERT_TRUE(handle());
  EXPECT_FALSE(link_->policy_pending());
  ASSERT_EQ(sink_.events.size(), 3U);
  EXPECT_EQ(std::get<audit::PolicyReload>(sink_.events[1]).policy_digest, "sha256:ab");
}

TEST_F(GatewayLinkTest, AnAnswerToNoPolicyEndsTheSession) {
  ends_the_session(channel::encode(channel::ToSupervisor(channel::PolicyAnswer{"sha256:ab", 0, ""})));
}

TEST_F(GatewayLinkTest, TakesNoProcessFromTheGateway) {
  auto event = request_to("a.example");
  event.process = audit::Process{1, "/forged", {"forged"}, {1}};
  send(channel::Record{7, event});
  static_cast<void>(handle());
  for (auto const& record : sink_.all<audit::EgressRequest>()) EXPECT_FALSE(record.process);
}

TEST_F(GatewayLinkTest, EndsTheSessionOnAHostileMessage) {
  ends_the_session("garbage");
  ends_the_session("{}");
  ends_the_session(R"({"kind":"record","ticket":1,"event":{"type":"session.end","cause":"exited"}})");
  ends_the_session(R"({"kind":"record","ticket":1,"event":{"type":"command.exec","pid":1}})");
  ends_the_session(channel::encode(channel::ToSupervisor(channel::Ready{})));  // out of turn
  ends_the_session(channel::encode(channel::ToSupervisor(channel::Fatal{"lost"})));
  ends_the_session(std::string(limits::kMaxChannelMessageBytes + 1, ' '));
  EXPECT_THAT(sink_.events, IsEmpty());
}

TEST_F(GatewayLinkTest, TakesABoundedNumberOfPacketsAtATime) {
  ::fcntl(gateway_->get(), F_SETFL, O_NONBLOCK);
  auto const bytes = channel::encode(channel::ToSupervisor(channel::Record{0, request_to("a")}));
  std::size_t sent = 0;
  while (sent < 300 && ::send(gateway_->get(), bytes.data(), bytes.size(), 0) > 0) ++sent;
  ASSERT_TRUE(handle());
  EXPECT_LE(sink_.events.size(), 64U);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(handle());
  EXPECT_EQ(sink_.events.size(), sent);
}

TEST_F(GatewayLinkTest, AsksTheGatewayToEnd) {
  link_->stop();
  std::array<char, 4096> buffer{};
  auto const got = ::recv(gateway_->get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  ASSERT_GT(got, 0);
  auto const message = channel::decode_to_gateway({buffer.data(), static_cast<std::size_t>(got)});
  ASSERT_TRUE(message);
  EXPECT_TRUE(std::holds_alternative<channel::Stop>(*message));
  gateway_.reset();
  link_->stop();  // of a gateway that is gone already: nothing, and no signal
}

/// A gateway of two workers.
class GatewayLinkOfTwo : public ::testing::Test {
 protected:
  GatewayLinkOfTwo() {
    std::vector<UniqueFd> ours;
    for (auto* worker : {&first_, &second_}) {
      std::array<int, 2> ends{};
      EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
      worker->emplace(*UniqueFd::adopt(ends[0], "gateway"));
      ours.push_back(*UniqueFd::adopt(ends[1], "supervisor"));
    }
    link_.emplace(std::move(ours), sink_);
  }
  static void send(std::optional<UniqueFd> const& worker, channel::ToSupervisor const& message) {
    auto const bytes = channel::encode(message);
    ASSERT_EQ(::send(worker->get(), bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }
  /// The next message that `worker` was sent; nothing if there is none.
  static std::optional<channel::ToGateway> told(std::optional<UniqueFd> const& worker) {
    std::array<char, 4096> buffer{};
    auto const got = ::recv(worker->get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got <= 0) return std::nullopt;
    return channel::decode_to_gateway({buffer.data(), static_cast<std::size_t>(got)}).value();
  }
  template <class Message>
  static bool is_told(std::optional<UniqueFd> const& worker) {
    auto const message = told(worker);
    return message && std::holds_alternative<Message>(*message);
  }
  Result<State> handle() {
    return link_->handle_messages([](audit::Flow const&) { return std::nullopt; });
  }
  void hand_over_a_policy() {
    auto const file = UniqueFd::adopt(::memfd_create("policy", MFD_CLOEXEC), "memfd").value();
    ASSERT_TRUE(link_->send_policy("", file, [](channel::PolicyAnswer const& answer) {
      audit::PolicyReload record;
      record.policy_digest = answer.digest;
      record.closed = answer.closed;
      return record;
    }));
  }

  MemorySink sink_;
  std::optional<UniqueFd> first_, second_;
  std::optional<GatewayLink> link_;
};

TEST_F(GatewayLinkOfTwo, IsReadyWhenBothAre) {
  send(first_, channel::Ready{});
  EXPECT_FALSE(link_->await_ready(50ms));
  send(first_, channel::Ready{});
  send(second_, channel::Ready{});
  EXPECT_TRUE(link_->await_ready(1s));
}

TEST_F(GatewayLinkOfTwo, AcknowledgesToEachItsOwn) {
  send(first_, channel::Record{3, request_to("a.example")});
  send(second_, channel::Record{9, request_to("b.example")});
  ASSERT_TRUE(handle());
  EXPECT_EQ(sink_.events.size(), 2U);
  auto const to_first = told(first_), to_second = told(second_);
  ASSERT_TRUE(to_first && to_second);
  EXPECT_EQ(std::get<channel::Written>(*to_first).ticket, 3U);
  EXPECT_EQ(std::get<channel::Written>(*to_second).ticket, 9U);
}

TEST_F(GatewayLinkOfTwo, APolicyIsAnsweredWhenBothHaveAnswered) {
  hand_over_a_policy();
  EXPECT_TRUE(is_told<channel::NewPolicy>(first_));
  EXPECT_TRUE(is_told<channel::NewPolicy>(second_));
  send(first_, channel::PolicyAnswer{"sha256:ab", 2, ""});
  ASSERT_TRUE(handle());
  EXPECT_TRUE(link_->policy_pending());
  EXPECT_THAT(sink_.events, IsEmpty());
  send(second_, channel::PolicyAnswer{"sha256:ab", 5, ""});
  ASSERT_TRUE(handle());
  EXPECT_FALSE(link_->policy_pending());
  ASSERT_EQ(sink_.events.size(), 1U);
  EXPECT_EQ(std::get<audit::PolicyReload>(sink_.events[0]).closed, 7U);
}

TEST_F(GatewayLinkOfTwo, OneThatAnswersTwiceOrDifferentlyEndsTheSession) {
  hand_over_a_policy();
  send(first_, channel::PolicyAnswer{"sha256:ab", 0, ""});
  send(first_, channel::PolicyAnswer{"sha256:ab", 0, ""});
  EXPECT_FALSE(handle());
  send(second_, channel::PolicyAnswer{"", 0, "cannot be read"});
  EXPECT_FALSE(handle());
}

TEST_F(GatewayLinkOfTwo, IsAliveWhenBothSaySo) {
  EXPECT_TRUE(link_->ask_for_life()) << "nobody was asked before";
  EXPECT_TRUE(is_told<channel::AreYouAlive>(first_));
  EXPECT_TRUE(is_told<channel::AreYouAlive>(second_));
  send(first_, channel::Alive{});
  ASSERT_TRUE(handle());
  EXPECT_FALSE(link_->ask_for_life()) << "the second owes an answer";
  EXPECT_TRUE(is_told<channel::AreYouAlive>(first_));
  EXPECT_FALSE(told(second_)) << "it was asked already";
  send(first_, channel::Alive{});
  send(second_, channel::Alive{});
  ASSERT_TRUE(handle());
  EXPECT_TRUE(link_->ask_for_life());
  send(first_, channel::Alive{});
  send(first_, channel::Alive{});
  EXPECT_FALSE(handle()) << "once too often";
}

TEST_F(GatewayLinkOfTwo, EndsAndDrainsBothAndIsClosedWithOne) {
  link_->drain();
  link_->stop();
  for (auto const* worker : {&first_, &second_}) {
    EXPECT_TRUE(is_told<channel::Drain>(*worker));
    EXPECT_TRUE(is_told<channel::Stop>(*worker));
  }
  second_.reset();
  EXPECT_EQ(*handle(), State::closed);
}

}  // namespace
}  // namespace sallyport::jail
