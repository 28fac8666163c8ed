#include "jail/process_exit.hpp"

#include <sys/ioctl.h>

#include <cstdint>

namespace sallyport::jail {
namespace {

/// struct pidfd_info of uapi linux/pidfd.h, which the headers of Debian 12 do not have; its first 64 bytes are stable.
struct PidfdInfo {
  std::uint64_t mask;
  std::uint64_t cgroup_id;
  std::uint32_t ids[11];
  std::int32_t exit_code;
};
static_assert(sizeof(PidfdInfo) == 64);
constexpr std::uint64_t kMaskExit = 1 << 3;                // PIDFD_INFO_EXIT
constexpr unsigned long kGetInfo = _IOWR(0xff, 11, PidfdInfo);  // PIDFD_GET_INFO

}  // namespace

ExitInfo exit_info(UniqueFd const& pidfd) {
  PidfdInfo info{};
  info.mask = kMaskExit;
  if (::ioctl(pidfd.get(), kGetInfo, &info) < 0) return {};
  if (!(info.mask & kMaskExit)) return {ExitKnowledge::not_reaped, 0};
  return {ExitKnowledge::known, info.exit_code};
}

}  // namespace sallyport::jail
