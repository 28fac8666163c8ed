#include "proxy/landlock.hpp"

#include "base/unique_fd.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

namespace sallyport::proxy {
namespace {

// linux/landlock.h as of version 6; the header of Debian 12 is older than most of it.
struct Ruleset {
  std::uint64_t filesystem;
  std::uint64_t network;
  std::uint64_t scoped;
};
constexpr std::uint32_t kAskVersion = 1;  // LANDLOCK_CREATE_RULESET_VERSION

/// Everything that a version of the interface can take away.
constexpr std::uint64_t bits(unsigned count) { return (std::uint64_t{1} << count) - 1; }
constexpr std::uint64_t kBindTcp = 1, kUnixSocketsAndSignals = 3;
constexpr std::array<Ruleset, 7> kEverything = {{
    {0, 0, 0},
    {bits(13), 0, 0},  // execute … make_sym
    {bits(14), 0, 0},  // refer
    {bits(15), 0, 0},  // truncate
    {bits(15), kBindTcp, 0},
    {bits(16), kBindTcp, 0},  // ioctl_dev
    {bits(16), kBindTcp, kUnixSocketsAndSignals},
}};

}  // namespace

int landlock_version() {
  auto const version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
  return version > 0 ? static_cast<int>(version) : 0;
}

Result<void> give_up_files() {
  int const version = landlock_version();
  if (version == 0) return {};
  auto const& everything = kEverything[std::min<std::size_t>(static_cast<std::size_t>(version), kEverything.size() - 1)];
  // An older kernel takes a longer structure whose unknown fields are 0.
  auto rules = UniqueFd::adopt(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &everything, sizeof everything, 0)),
                               "Landlock rules");
  if (!rules) return rules.error();
  if (::syscall(SYS_landlock_restrict_self, rules->get(), 0) != 0) return Error::os(errno, "Landlock");
  return {};
}

}  // namespace sallyport::proxy
