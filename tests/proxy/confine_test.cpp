#include "proxy/confine.hpp"

#include "tests/proxy/child_outcome.hpp"

#include <gtest/gtest.h>

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <array>

namespace sallyport::proxy {
namespace {

constexpr int kYes = 0;

bool confined() { return confine().has_value(); }

/// kYes when `holds` is true of a confined process.
template <class Predicate>
int of_confined(Predicate holds) {
  return tests::outcome_in_child(confined, [&] {
    errno = ERANGE;
    return holds() ? 0 : -1;
  });
}

TEST(Confine, NoCapabilityIsLeftInAnySet) {
  EXPECT_EQ(of_confined([] {
              __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
              std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
              if (::syscall(SYS_capget, &header, sets.data()) != 0) return false;
              for (auto const& set : sets) {
                if ((set.effective | set.permitted | set.inheritable) != 0) return false;
              }
              return true;
            }),
            kYes);
}

TEST(Confine, NothingCanBeGainedAnyMore) {
  EXPECT_EQ(of_confined([] { return ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1; }), kYes);
}

TEST(Confine, MemoryIsNeitherDumpedNorReadByOthers) {
  EXPECT_EQ(of_confined([] { return ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0; }), kYes);
  EXPECT_EQ(of_confined([] {
              rlimit core{};
              return ::getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_cur == 0 && core.rlim_max == 0;
            }),
            kYes);
}

TEST(Confine, FilterIsLoaded) {
  EXPECT_EQ(of_confined([] { return ::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 2; }), kYes);
  EXPECT_EQ(tests::outcome_in_child(confined, [] { return ::socket(AF_UNIX, SOCK_STREAM, 0); }), EPERM);
  EXPECT_EQ(tests::outcome_in_child(confined, [] { return ::socket(AF_INET, SOCK_STREAM, 0); }), 0);
}

TEST(Confine, IsDoneOnce) {
  EXPECT_EQ(of_confined([] { return !confine().has_value(); }), kYes);
}

}  // namespace
}  // namespace sallyport::proxy
