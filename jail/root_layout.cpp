#include "jail/root_layout.hpp"

#include "jail/account_files.hpp"
#include "jail/path_entries.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>
#include <unistd.h>

namespace sallyport::jail {
namespace fs = std::filesystem;
namespace {

using Kind = MountStep::Kind;

/// Top-level entries that are shown read-only, as a directory or as the link they are.
constexpr std::array<std::string_view, 11> kSystem = {"usr", "bin",  "sbin", "lib", "lib32", "lib64",
                                                      "libx32", "etc", "opt",  "nix", "gnu"};
/// Of /var, only what package managers and fonts read; never logs, mail or spools.
constexpr std::array<std::string_view, 5> kVar = {"var/lib/apt", "var/lib/dpkg", "var/cache/apt", "var/cache/fontconfig",
                                                  "var/lib/ca-certificates-java"};
constexpr std::array<std::string_view, 5> kDevices = {"null", "zero", "full", "random", "urandom"};

/// Collects steps; makes each parent directory once.
class Layout {
 public:
  void directory(std::string const& target) {
    std::string path;
    for (auto const& part : fs::path(target)) {
      path += path.empty() ? part.string() : "/" + part.string();
      if (made_.insert(path).second) steps_.push_back({Kind::directory, "", path, "", {}, 0755, -1});
    }
  }
  void file(std::string const& target, std::string content, FileRange copied = {}, std::string tail = {}) {
    parent(target);
    steps_.push_back({Kind::file, "", target, std::move(content), {}, 0444, -1, std::move(copied), std::move(tail)});
  }
  /// The same, for the jail's user alone, who may write to it.
  void private_file(std::string const& target, std::string content) {
    parent(target);
    steps_.push_back({Kind::file, "", target, std::move(content), {}, 0600, -1});
  }
  void symlink(std::string const& points_to, std::string const& target) {
    parent(target);
    steps_.push_back({Kind::symlink, points_to, target, "", {}, 0, -1});
  }
  /// Shows `source` (a directory or anything else) at `target`.
  void bind(std::string const& source, std::string const& target, Access access) {
    mount_point(source, target);
    steps_.push_back({Kind::bind, source, target, "", access, 0, -1});
  }
  /// `staged` is a file of the new root; `target` is there already.
  void bind_staged(std::string const& staged, std::string const& target) {
    steps_.push_back({Kind::bind, staged, target, "", Access::read_only, 0, -1});
  }
  void device(std::string_view name) {
    std::string const target = "dev/" + std::string(name);
    file(target, "");
    steps_.push_back({Kind::device, "/" + target, target, "", Access::read_write, 0, -1});
  }
  void tmpfs(std::string const& target, mode_t mode) {
    directory(target);
    steps_.push_back({Kind::tmpfs, "", target, "", {}, mode, -1});
  }
  void special(Kind kind, std::string const& target) {
    directory(target);
    steps_.push_back({kind, "", target, "", {}, 0, -1});
  }
  void hide(std::string const& source, std::string const& target) {
    Kind const kind = fs::is_directory(source) ? Kind::hide_directory : Kind::hide_file;
    steps_.push_back({kind, "/dev/null", target, "", Access::read_only, 0, -1});
  }
  std::vector<MountStep> finish() && { return std::move(steps_); }

 private:
  void parent(std::string const& target) {
    auto const up = fs::path(target).parent_path().string();
    if (!up.empty()) directory(up);
  }
  void mount_point(std::string const& source, std::string const& target) {
    if (fs::is_directory(source)) return directory(target);
    file(target, "");
  }
  std::vector<MountStep> steps_;
  std::set<std::string> made_;
};

std::string relative(std::string const& absolute) { return absolute.substr(absolute.find_first_not_of('/')); }

void add_system(Layout& layout) {
  for (std::string_view name : kSystem) {
    fs::path const source = "/" + std::string(name);
    std::error_code ec;
    if (fs::is_symlink(source, ec)) {
      layout.symlink(fs::read_symlink(source, ec).string(), std::string(name));
    } else if (fs::is_directory(source, ec)) {
      layout.bind(source.string(), std::string(name), Access::read_only);
    }
  }
  for (std::string_view name : kVar) {
    std::string const source = "/" + std::string(name);
    if (fs::is_directory(source)) layout.bind(source, std::string(name), Access::read_only);
  }
}

void add_devices(Layout& layout) {
  layout.tmpfs("dev", 0755);
  for (std::string_view name : kDevices) layout.device(name);
  layout.device("tty");
  layout.special(Kind::devpts, "dev/pts");
  layout.symlink("pts/ptmx", "dev/ptmx");
  layout.tmpfs("dev/shm", 01777);
  layout.symlink("/proc/self/fd", "dev/fd");
  layout.symlink("/proc/self/fd/0", "dev/stdin");
  layout.symlink("/proc/self/fd/1", "dev/stdout");
  layout.symlink("/proc/self/fd/2", "dev/stderr");
  layout.special(Kind::freeze, "dev");
}

/// Puts `content` where /etc/NAME leads, also when it is a link out of /etc (systemd-resolved).
void replace_etc_file(Layout& layout, std::string const& name, std::string content) {
  fs::path const place = "/etc/" + name;
  std::error_code ec;
  if (!fs::exists(fs::symlink_status(place, ec))) return;  // /etc is read-only: nothing can be put there
  if (!fs::is_symlink(place, ec)) {
    std::string const staged = ".sallyport/" + name;
    layout.file(staged, std::move(content));
    layout.bind_staged(staged, "etc/" + name);
    return;
  }
  fs::path const leads_to = (place.parent_path() / fs::read_symlink(place, ec)).lexically_normal();
  layout.file(relative(leads_to.string()), std::move(content));
}

void add_name_service(Layout& layout, PlanRequest const& request) {
  replace_etc_file(layout, "resolv.conf", "nameserver 127.0.0.1\noptions timeout:2 attempts:1\n");
  replace_etc_file(layout, "hosts", "127.0.0.1 localhost\n::1 localhost ip6-localhost\n");
  if (auto passwd = passwd_with(request.identity, request.home)) replace_etc_file(layout, "passwd", *std::move(passwd));
  if (auto group = group_with(request.identity)) replace_etc_file(layout, "group", *std::move(group));
}

void add_private_places(Layout& layout, PlanRequest const& request) {
  layout.tmpfs("tmp", 01777);
  layout.tmpfs("var/tmp", 01777);
  layout.directory("run");
  layout.symlink("../run", "var/run");  // relative: later steps go through it while the host's root is in place
  layout.special(Kind::proc, "proc");
  layout.tmpfs(relative(request.home), 0700);
}

/// Over the host's files, and where the variables of the pack point.
void add_trust(Layout& layout, PlanRequest const& request, TrustPack trust) {
  for (auto& file : trust.files) {
    auto const staged = ".sallyport/" + file.name;
    layout.file(staged, std::move(file.head), std::move(file.host), std::move(file.tail));
    for (auto const& place : file.places) layout.bind_staged(staged, relative(place));
  }
  for (auto& directory : trust.directories) {
    auto const staged = ".sallyport/" + directory.name;
    for (auto& file : directory.files) layout.file(staged + "/" + file.name, std::move(file.content), std::move(file.host));
    layout.bind_staged(staged, relative(directory.place));
  }
  for (auto& [name, content] : trust.home) layout.private_file(relative(request.home) + "/" + name, std::move(content));
}

void add_path_entries(Layout& layout, PlanRequest const& request) {
  auto const path = request.environment.find("PATH");
  if (path == request.environment.end()) return;
  for (auto const& directory : visible_path_entries(path->second, request.home))
    layout.bind(directory, relative(directory), Access::read_only);
}

Result<void> add_policy_paths(Layout& layout, policies::Filesystem const& filesystem) {
  auto add = [&](std::vector<std::string> const& paths, Access access) -> Result<void> {
    for (auto const& path : paths) {
      if (!path.starts_with('/') || !fs::exists(path))
        return Error{Code::invalid, 0, "filesystem: '" + path + "' must be an absolute path that exists"};
      layout.bind(path, relative(path), access);
    }
    return {};
  };
  if (auto done = add(filesystem.read, Access::read_only); !done) return done.error();
  if (auto done = add(filesystem.write, Access::read_write); !done) return done.error();
  for (auto const& path : filesystem.hide)
    if (fs::exists(path)) layout.hide(path, relative(path));
  return {};
}

}  // namespace

Result<std::vector<MountStep>> lay_out_root(PlanRequest const& request, policies::Policy const& policy, TrustPack trust) {
  Layout layout;
  add_system(layout);
  add_private_places(layout, request);
  add_devices(layout);
  add_name_service(layout, request);
  add_path_entries(layout, request);
  add_trust(layout, request, std::move(trust));
  for (auto const& [name, content] : request.home_files) layout.private_file(relative(request.home) + "/" + name, content);
  Access const workspace = policy.filesystem.workspace == policies::Workspace::ro ? Access::read_only : Access::read_write;
  layout.bind(request.workspace, relative(request.workspace), workspace);
  if (auto added = add_policy_paths(layout, policy.filesystem); !added) return added.error();
  return std::move(layout).finish();
}

}  // namespace sallyport::jail
