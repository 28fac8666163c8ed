#pragma once
// A real jail for a test: a workspace and a home of its own, a plan for a command in it, and the jail's processes. Works as
// root (the workspace belongs to kOwner, as whom the jail runs) and as an ordinary user. Throws when the test's own set-up
// fails.

#include "jail/launch.hpp"
#include "jail/planner.hpp"
#include "tests/support/temp_dir.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sallyport::jail {

class Workplace {
 public:
  Workplace();

  static constexpr unsigned kOwner = 4242;  // a uid and gid nobody has

  std::string workspace() const { return (directory_ / "work").string(); }
  std::string home() const { return (directory_ / "home").string(); }
  std::string outside(std::string_view name) const { return (directory_ / name).string(); }
  /// An executable file in the workspace, owned as the workspace is; its path.
  std::string add(std::string_view name, std::string_view content) const;

  PlanRequest request(std::vector<std::string> command) const;
  Plan plan(std::vector<std::string> command) const;

 private:
  void give_away(std::string const& path) const;
  test::TempDir directory_;
};

/// A jail without a gateway: its listening sockets go to nobody. Destroyed at the end of the scope.
class RunningJail {
 public:
  explicit RunningJail(Plan const& plan, LaunchOptions options = {});
  RunningJail(RunningJail const&) = delete;
  RunningJail& operator=(RunningJail const&) = delete;
  ~RunningJail() { destroy(jail_); }

  Jail const& get() const { return jail_; }
  UniqueFd& sockets() { return ours_; }

 private:
  RunningJail(Plan const& plan, LaunchOptions options, std::pair<UniqueFd, UniqueFd> ends);
  UniqueFd ours_;
  Jail jail_;
};

/// Sets a jail up, starts its command, lets every exec go on, and waits for the end.
struct Ran {
  std::optional<int> exec_error;  // no candidate could be executed
  int status = -1;                // as waitpid(2) gives it
};
Ran run(Plan const& plan, LaunchOptions options = {});

}  // namespace sallyport::jail
