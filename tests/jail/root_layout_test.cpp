#include "jail/root_layout.hpp"

#include "tests/jail/workplace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

namespace sallyport::jail {
namespace {

namespace fs = std::filesystem;
using Kind = MountStep::Kind;

class RootLayout : public ::testing::Test {
 protected:
  std::vector<MountStep> lay_out(policies::Policy const& policy = {}) const {
    auto steps = lay_out_root(request_, policy, {});
    EXPECT_TRUE(steps) << steps.error().what;
    return *std::move(steps);
  }
  void refuses(policies::Policy const& policy) const { EXPECT_FALSE(lay_out_root(request_, policy, {})); }
  static std::string below_root(std::string const& path) { return path.substr(1); }

  Workplace place_;
  PlanRequest request_ = place_.request({"true"});
};

/// Where the step of this kind with this target stands; the number of steps when there is none.
std::size_t position(std::vector<MountStep> const& steps, std::string const& target, Kind kind) {
  auto const found = std::ranges::find_if(steps, [&](auto const& s) { return s.target == target && s.kind == kind; });
  return static_cast<std::size_t>(found - steps.begin());
}
std::optional<MountStep> step_for(std::vector<MountStep> const& steps, std::string const& target, Kind kind) {
  auto const at = position(steps, target, kind);
  return at == steps.size() ? std::nullopt : std::optional(steps[at]);
}

TEST_F(RootLayout, ShowsTheSystemReadOnly) {
  auto const steps = lay_out();
  for (auto name : {"usr", "etc"}) {
    auto const step = step_for(steps, name, Kind::bind);
    ASSERT_TRUE(step) << name;
    EXPECT_EQ(step->access, Access::read_only) << name;
    EXPECT_EQ(step->source, "/" + std::string(name));
  }
}

TEST_F(RootLayout, ShowsNothingOfTheHostThatIsNotNamed) {
  for (auto const& step : lay_out()) {
    if (step.kind != Kind::bind || !step.source.starts_with('/')) continue;
    for (std::string_view never :
         {"/run", "/var/run", "/root", "/home", "/proc", "/sys", "/dev", "/mnt", "/media", "/boot", "/srv"})
      EXPECT_NE(step.source, never);
    EXPECT_NE(step.source, "/var");
    EXPECT_NE(step.source, "/");
  }
}

TEST_F(RootLayout, WritesOnlyToTheWorkspaceAndPrivatePlaces) {
  for (auto const& step : lay_out()) {
    bool const writable = step.kind == Kind::bind && step.access == Access::read_write;
    EXPECT_TRUE(!writable || step.source == place_.workspace()) << step.source;
  }
}

TEST_F(RootLayout, ShowsTheWorkspaceAtItsOwnPathAsThePolicySays) {
  auto const target = below_root(place_.workspace());
  policies::Policy policy;
  EXPECT_EQ(step_for(lay_out(policy), target, Kind::bind)->access, Access::read_write);
  policy.filesystem.workspace = policies::Workspace::ro;
  EXPECT_EQ(step_for(lay_out(policy), target, Kind::bind)->access, Access::read_only);
}

TEST_F(RootLayout, HidesTheHomeAndThenShowsPathEntriesOfIt) {
  auto const tool = place_.home() + "/tool";
  fs::create_directory(tool);
  request_.environment["PATH"] = tool + ":/usr/bin";
  auto const steps = lay_out();
  auto const home = position(steps, below_root(place_.home()), Kind::tmpfs);
  auto const entry = position(steps, below_root(tool), Kind::bind);
  EXPECT_LT(home, entry);
  EXPECT_EQ(steps[entry].access, Access::read_only);
  EXPECT_EQ(steps[home].mode, 0700U);
}

TEST_F(RootLayout, KeepsAWorkspaceBelowTheHomeVisible) {
  request_.home = fs::path(place_.workspace()).parent_path();
  auto const steps = lay_out();
  EXPECT_LT(position(steps, below_root(request_.home), Kind::tmpfs),
            position(steps, below_root(place_.workspace()), Kind::bind));
}

TEST_F(RootLayout, HasPrivateTemporaryPlacesAndAMinimalDev) {
  auto const steps = lay_out();
  EXPECT_EQ(step_for(steps, "tmp", Kind::tmpfs)->mode, 01777U);
  EXPECT_EQ(step_for(steps, "dev/shm", Kind::tmpfs)->mode, 01777U);
  EXPECT_TRUE(step_for(steps, "proc", Kind::proc));
  EXPECT_TRUE(step_for(steps, "dev/pts", Kind::devpts));
  std::set<std::string> devices;
  for (auto const& step : steps)
    if (step.kind == Kind::device) devices.insert(step.target);
  EXPECT_EQ(devices, (std::set<std::string>{"dev/null", "dev/zero", "dev/full", "dev/random", "dev/urandom", "dev/tty"}));
}

TEST_F(RootLayout, AsksForNamesInTheJailOnly) {
  auto const steps = lay_out();
  auto const has_resolver = [](MountStep const& s) {
    return s.kind == Kind::file && s.content.find("nameserver 127.0.0.1\n") != std::string::npos;
  };
  EXPECT_TRUE(std::ranges::any_of(steps, has_resolver));
}

TEST_F(RootLayout, MakesEveryMountPointBeforeItsMount) {
  std::set<std::string> made{"etc/resolv.conf", "etc/hosts", "etc/passwd", "etc/group"};  // stand on the read-only /etc
  for (auto const& step : lay_out()) {
    if (step.kind == Kind::directory || step.kind == Kind::file) made.insert(step.target);
    bool const mounts = step.kind == Kind::bind || step.kind == Kind::tmpfs || step.kind == Kind::device;
    EXPECT_TRUE(!mounts || made.contains(step.target)) << step.target;
  }
}

TEST_F(RootLayout, AddsThePathsOfThePolicy) {
  auto const readable = place_.outside("readable"), writable = place_.outside("writable"),
             hidden = place_.workspace() + "/hidden";
  for (auto const& path : {readable, writable, hidden}) fs::create_directory(path);
  policies::Policy policy;
  policy.filesystem = {{readable}, {writable}, {hidden, hidden + "/absent"}, policies::Workspace::rw};
  auto const steps = lay_out(policy);
  EXPECT_EQ(step_for(steps, below_root(readable), Kind::bind)->access, Access::read_only);
  EXPECT_EQ(step_for(steps, below_root(writable), Kind::bind)->access, Access::read_write);
  EXPECT_GT(position(steps, below_root(hidden), Kind::hide_directory),
            position(steps, below_root(place_.workspace()), Kind::bind));
  EXPECT_FALSE(step_for(steps, below_root(hidden) + "/absent", Kind::hide_file));
}

TEST_F(RootLayout, ShowsTheTrustPackOverTheHostsFiles) {
  TrustPack trust;
  trust.files = {{"roots", "text", {"/etc/hosts", 1, 2}, "tail", {"/etc/ssl/a.crt", "/etc/pki/b.crt"}}};
  trust.home = {{".config/x.conf", "conf"}};
  auto const steps = lay_out_root(request_, {}, trust).value();
  auto const staged = step_for(steps, ".sallyport/roots", Kind::file).value();
  EXPECT_EQ(staged.content + staged.tail, "texttail");
  EXPECT_EQ(staged.copied.path, "/etc/hosts");
  for (auto place : {"etc/ssl/a.crt", "etc/pki/b.crt"}) {
    auto const step = step_for(steps, place, Kind::bind);
    ASSERT_TRUE(step) << place;
    EXPECT_EQ(step->source, ".sallyport/roots");
    EXPECT_EQ(step->access, Access::read_only);
  }
  auto const home = below_root(place_.home());
  auto const written = step_for(steps, home + "/.config/x.conf", Kind::file);
  ASSERT_TRUE(written);
  EXPECT_EQ(written->mode, 0600U);
  EXPECT_LT(position(steps, home, Kind::tmpfs), position(steps, home + "/.config/x.conf", Kind::file));
}

TEST_F(RootLayout, RefusesPathsItCannotShow) {
  policies::Policy relative, absent;
  relative.filesystem.read = {"relative"};
  absent.filesystem.write = {place_.outside("absent")};
  refuses(relative);
  refuses(absent);
}

/// The host's root is still in place while the steps run: an absolute link on the way would lead there.
TEST_F(RootLayout, NoWorkspaceIsReachedThroughAnAbsoluteLink) {
  for (auto place : {"/var/tmp/project", "/var/run/project"}) {
    request_.workspace = place;
    for (auto const& step : lay_out()) {
      bool const on_the_way = step.kind == Kind::symlink && below_root(place).starts_with(step.target + "/");
      EXPECT_FALSE(on_the_way && step.source.starts_with('/')) << place;
    }
  }
}

}  // namespace
}  // namespace sallyport::jail
