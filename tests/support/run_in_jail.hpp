#pragma once
// Real sessions: runs the built `sallyport run` in a workspace of its own. Works as root and as an ordinary user. Throws
// when the test's own set-up fails; a jail that fails is an Outcome. One thread.

#include "tests/support/audit_records.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temp_dir.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::test {

struct JailOutcome : Outcome {
  Records records;  // of the audit log
};

/// The directories of a session and what it is run with. Layout: work/ (the workspace), home/ ($HOME of the invoking user),
/// policy.yaml and audit.jsonl, outside the workspace.
class Jail {
 public:
  /// The policy allows a name that no test asks for, and more when --allow options or set_policy() do. When root runs the
  /// test the workspace belongs to kOwner, so the jail runs as kOwner.
  Jail();

  static constexpr unsigned kOwner = 4242;  // a uid and gid nobody has

  std::filesystem::path workspace() const { return directory_ / "work"; }
  std::filesystem::path home() const { return directory_ / "home"; }
  std::filesystem::path audit_file() const { return directory_ / "audit.jsonl"; }
  std::filesystem::path policy_file() const { return directory_ / "policy.yaml"; }

  void set_policy(std::string_view yaml) const;
  /// A file in the workspace, owned as the workspace is.
  std::filesystem::path add_file(std::string_view name, std::string_view content) const;
  /// Copies the guest of this name into the workspace; its path.
  std::string add_guest(std::string_view name) const;

  /// `sallyport run OPTIONS -- ARGV` in the workspace; the audit log is begun anew. --policy and --workspace among the
  /// options take the place of the session's own.
  Command command(std::vector<std::string> const& options, std::vector<std::string> const& argv) const;
  JailOutcome run(std::vector<std::string> const& options, std::vector<std::string> const& argv) const;
  JailOutcome run(Command command) const;
  /// `sallyport ARGUMENTS` outside any jail, as the user who ran the sessions: its keys are under home().
  Outcome sallyport(std::vector<std::string> const& arguments) const;

 private:
  Command as_caller(std::vector<std::string> argv) const;
  void give_away(std::filesystem::path const& path) const;
  TempDir directory_;
};

}  // namespace sallyport::test
