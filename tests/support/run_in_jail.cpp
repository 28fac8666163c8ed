#include "tests/support/run_in_jail.hpp"

#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace sallyport::test {

namespace fs = std::filesystem;

Jail::Jail() {
  fs::create_directory(workspace());
  fs::create_directory(home());
  give_away(workspace());
  set_policy("version: 1\nname: test\negress:\n  - {hosts: [unrelated.example], inspect: sni}\n");
}

void Jail::give_away(fs::path const& path) const {
  if (::geteuid() != 0) return;
  if (::chown(path.c_str(), kOwner, kOwner) != 0) throw std::system_error(errno, std::generic_category(), path.string());
}

void Jail::set_policy(std::string_view yaml) const { write_file(policy_file(), yaml); }

fs::path Jail::add_file(std::string_view name, std::string_view content) const {
  auto const path = workspace() / name;
  write_file(path, content);
  give_away(path);
  return path;
}

std::string Jail::add_guest(std::string_view name) const {
  auto const path = workspace() / name;
  fs::copy_file(fs::path(SALLYPORT_GUESTS) / name, path, fs::copy_options::skip_existing);
  return path.string();
}

Command Jail::as_caller(std::vector<std::string> argv) const {
  Command command;
  command.argv = std::move(argv);
  command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + home().string(), "LANG=C.UTF-8"};
  command.directory = workspace();
  return command;
}

Command Jail::command(std::vector<std::string> const& options, std::vector<std::string> const& argv) const {
  fs::remove(audit_file());
  std::vector<std::string> all = {SALLYPORT_BINARY, "run"};
  std::pair<std::string, std::string> const defaults[] = {
      {"--policy", policy_file()}, {"--audit", audit_file()}, {"--workspace", workspace()}};
  for (auto const& [name, value] : defaults) {
    if (std::find(options.begin(), options.end(), name) == options.end()) all.insert(all.end(), {name, value});
  }
  all.insert(all.end(), options.begin(), options.end());
  all.push_back("--");
  all.insert(all.end(), argv.begin(), argv.end());
  return as_caller(std::move(all));
}

JailOutcome Jail::run(std::vector<std::string> const& options, std::vector<std::string> const& argv) const {
  return run(command(options, argv));
}

JailOutcome Jail::run(Command command) const {
  JailOutcome outcome{run_command(std::move(command)), {}};
  if (fs::exists(audit_file())) outcome.records = read_records(audit_file());
  return outcome;
}

Outcome Jail::sallyport(std::vector<std::string> const& arguments) const {
  std::vector<std::string> argv = {SALLYPORT_BINARY};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return run_command(as_caller(std::move(argv)));
}

}  // namespace sallyport::test
