#include "cli/policy_reloader.hpp"

#include "tests/support/audit_records.hpp"
#include "tests/support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <sys/socket.h>

#include <array>

namespace sallyport::cli {
namespace {

/// The test takes the gateway's place.
class PolicyReloaderTest : public testing::Test {
 protected:
  PolicyReloaderTest() {
    std::array<int, 2> pair{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair.data()), 0);
    gateway_.emplace(*UniqueFd::adopt(pair[1], "pair"));
    sink_ = *audit::FileSink::open({(directory_ / "log.jsonl").string(), (directory_ / "keys").string(), "s"}, clock_);
    EXPECT_TRUE(sink_->append(audit::SessionStart{}));
    link_.emplace(*UniqueFd::adopt(pair[0], "pair"), *sink_);
    write("{hosts: [a.example], inspect: sni}");
    sources_ = {SALLYPORT_PRESETS, "", {file()}, {}};
    auto tell = [this](std::string const& line) { told_.push_back(line); };
    auto watch = [this](std::vector<std::string> const& files) { watched_ = files; };
    auto const loaded = policies::load_policy_for_sharing(sources_).value();
    reloader_.emplace(sources_, Authority::none, loaded.policy->digest, ReloaderParts{{}, *link_, *sink_, tell, watch});
  }
  std::string file() const { return (directory_ / "p.yaml").string(); }
  void write(std::string const& rule) const {
    test::write_file(file(), "version: 1\nname: p\negress:\n  - " + rule + "\n");
  }
  /// Whether the gateway was sent a policy.
  bool sent() const {
    std::array<char, 256> buffer{};
    ssize_t const got = ::recv(gateway_->get(), buffer.data(), buffer.size(), 0);
    auto const message = audit::channel::decode_to_gateway({buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0});
    return message && std::holds_alternative<audit::channel::NewPolicy>(*message);
  }
  void answer(audit::channel::PolicyAnswer const& answer) {
    auto const bytes = audit::channel::encode(audit::channel::ToSupervisor(answer));
    EXPECT_GT(::send(gateway_->get(), bytes.data(), bytes.size(), 0), 0);
    EXPECT_TRUE(link_->handle_messages([](audit::Flow const&) { return std::optional<audit::Process>{}; }));
    EXPECT_TRUE(reloader_->go_on());
  }
  void answer_taken() { answer({policies::load_policy(sources_).value()->digest, 3, ""}); }
  test::Records records(std::string_view outcome) const {
    return test::having(test::read_records(directory_ / "log.jsonl"), {{"type", "policy.reload"}, {"outcome", outcome}});
  }

  test::TempDir const directory_;
  SystemClock const clock_;
  policies::PolicySources sources_;
  std::vector<std::string> told_, watched_;
  std::optional<UniqueFd> gateway_;
  std::unique_ptr<audit::FileSink> sink_;
  std::optional<jail::GatewayLink> link_;
  std::optional<PolicyReloader> reloader_;
};

TEST_F(PolicyReloaderTest, AGoodPolicyIsRecordedWhenTheGatewayHasTakenIt) {
  write("{hosts: [b.example], inspect: sni}");
  ASSERT_TRUE(reloader_->reload(ReloadTrigger::file));
  ASSERT_TRUE(sent());
  EXPECT_TRUE(records("applied").empty());
  answer_taken();
  ASSERT_EQ(records("applied").size(), 1U);
  EXPECT_EQ(test::text_at(records("applied").front(), "closed"), "3");
  EXPECT_EQ(watched_, std::vector{file()});
}

TEST_F(PolicyReloaderTest, ABadPolicyGoesNowhereAndTheReasonHasItsPlace) {
  write("{hosts: [b.example], inspekt: sni}");
  ASSERT_TRUE(reloader_->reload(ReloadTrigger::file));
  ASSERT_TRUE(reloader_->reload(ReloadTrigger::file));
  EXPECT_FALSE(sent());
  ASSERT_EQ(records("rejected").size(), 1U) << "said once while nothing else is wrong";
  EXPECT_NE(test::text_at(records("rejected").front(), "detail").find("p.yaml:4:"), std::string::npos);
  EXPECT_NE(told_.back().find("p.yaml:4:"), std::string::npos);
}

TEST_F(PolicyReloaderTest, NothingNewIsSaidOnlyToWhoAsked) {
  ASSERT_TRUE(reloader_->reload(ReloadTrigger::file));
  EXPECT_TRUE(told_.empty());
  ASSERT_TRUE(reloader_->reload(ReloadTrigger::signal));
  EXPECT_EQ(records("unchanged").size(), 1U);
  EXPECT_FALSE(sent());
}

TEST_F(PolicyReloaderTest, APolicyThatNeedsAnAuthorityIsRejectedWhereThereIsNone) {
  write("{hosts: [b.example]}");
  ASSERT_TRUE(reloader_->reload(ReloadTrigger::signal));
  EXPECT_FALSE(sent());
  EXPECT_NE(told_.back().find("--ca-out"), std::string::npos);
}

TEST_F(PolicyReloaderTest, AskedForWhileAnAnswerIsAwaitedItGoesOnAfterIt) {
  write("{hosts: [b.example], inspect: sni}");
  ASSERT_TRUE(reloader_->reload(ReloadTrigger::file));
  ASSERT_TRUE(sent());
  auto const second = policies::load_policy(sources_).value()->digest;
  write("{hosts: [c.example], inspect: sni}");
  ASSERT_TRUE(reloader_->reload(ReloadTrigger::file));
  EXPECT_FALSE(sent());
  answer({second, 0, ""});
  EXPECT_TRUE(sent());
  answer_taken();
  EXPECT_EQ(records("applied").size(), 2U);
}

}  // namespace
}  // namespace sallyport::cli
