#include "proxy/gateway_filter.hpp"

#include "base/seccomp_export.hpp"

#include <fcntl.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <memory>
#include <span>
#include <string>

namespace sallyport::proxy {
namespace {

// Whatever their arguments.
constexpr std::array kAllowed = {
    // memory; mmap and mprotect are below
    SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(mlock), SCMP_SYS(brk),
    // waiting, and the clock that is waited for
    SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait), SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_create1), SCMP_SYS(poll),
    SCMP_SYS(ppoll), SCMP_SYS(eventfd2), SCMP_SYS(timerfd_create), SCMP_SYS(timerfd_settime), SCMP_SYS(futex),
    SCMP_SYS(sched_yield), SCMP_SYS(clock_gettime), SCMP_SYS(clock_nanosleep), SCMP_SYS(gettimeofday),
    SCMP_SYS(restart_syscall),
    // bytes of descriptors it has; fcntl and ioctl are below
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(readv), SCMP_SYS(writev), SCMP_SYS(pread64), SCMP_SYS(lseek),
    SCMP_SYS(recvfrom), SCMP_SYS(recvmsg), SCMP_SYS(sendto), SCMP_SYS(sendmsg), SCMP_SYS(close), SCMP_SYS(pipe2),
    SCMP_SYS(splice),
    // sockets it has, and outbound ones; socket is below
    SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(connect), SCMP_SYS(shutdown), SCMP_SYS(getsockname),
    SCMP_SYS(getpeername), SCMP_SYS(getsockopt), SCMP_SYS(setsockopt),
    // itself
    SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getppid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid),
    SCMP_SYS(getegid), SCMP_SYS(capget), SCMP_SYS(getrandom), SCMP_SYS(sysinfo), SCMP_SYS(getrusage),
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack), SCMP_SYS(exit),
    SCMP_SYS(exit_group)};

// Their arguments are behind a pointer, where a filter cannot look; the C library has an older way.
constexpr std::array kUnknown = {SCMP_SYS(clone3), SCMP_SYS(openat2), SCMP_SYS(statx), SCMP_SYS(faccessat2)};

constexpr scmp_datum_t kLow32 = 0xffffffff;  // the kernel looks at 32 bits of an int

/// Adds rules to one filter and remembers the first failure.
class Rules {
 public:
  explicit Rules(scmp_filter_ctx filter) : filter_(filter) {}

  void allow(int call) { add(SCMP_ACT_ALLOW, call, {}); }
  void allow_if(int call, scmp_arg_cmp condition) { add(SCMP_ACT_ALLOW, call, {&condition, 1}); }
  void allow_all(int call, std::span<scmp_arg_cmp const> all_of) { add(SCMP_ACT_ALLOW, call, all_of); }
  void pretend_missing(int call) { add(SCMP_ACT_ERRNO(ENOSYS), call, {}); }

  int error() const { return error_; }

 private:
  void add(std::uint32_t action, int call, std::span<scmp_arg_cmp const> all_of) {
    int const done = ::seccomp_rule_add_array(filter_, action, call, static_cast<unsigned>(all_of.size()), all_of.data());
    if (done < 0 && done != -EDOM && error_ == 0) error_ = -done;  // EDOM: not a call of this architecture
  }
  scmp_filter_ctx filter_;
  int error_ = 0;
};

scmp_arg_cmp masked(unsigned index, scmp_datum_t mask, scmp_datum_t value) {
  return {index, SCMP_CMP_MASKED_EQ, mask, value};
}

/// No code but what is there already.
void allow_memory_that_is_not_code(Rules& rules) {
  rules.allow_if(SCMP_SYS(mmap), masked(2, PROT_EXEC, 0));
  rules.allow_if(SCMP_SYS(mprotect), masked(2, PROT_EXEC, 0));
}

void allow_sockets(Rules& rules) {
  constexpr scmp_datum_t kTypeBits = 0xf;  // the rest are SOCK_NONBLOCK and SOCK_CLOEXEC
  rules.allow_if(SCMP_SYS(socketpair), masked(0, kLow32, AF_UNIX));  // both ends its own: proxy/tls_bridge
  for (scmp_datum_t family : {AF_INET, AF_INET6}) {
    for (scmp_datum_t type : {SOCK_STREAM, SOCK_DGRAM}) {
      scmp_arg_cmp const usual[] = {masked(0, kLow32, family), masked(1, kTypeBits, type)};
      rules.allow_all(SCMP_SYS(socket), usual);
    }
  }
}

/// Not F_SETOWN and F_SETSIG, which send signals.
void allow_flags_of_descriptors(Rules& rules) {
  for (scmp_datum_t command : {F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_SETPIPE_SZ})
    rules.allow_if(SCMP_SYS(fcntl), masked(1, kLow32, command));
  for (scmp_datum_t request : {FIONBIO, FIONREAD}) rules.allow_if(SCMP_SYS(ioctl), masked(1, kLow32, request));
}

/// What tells about this process and changes nothing.
void allow_questions(Rules& rules) {
  for (scmp_datum_t option : {PR_GET_DUMPABLE, PR_GET_NO_NEW_PRIVS, PR_GET_SECCOMP}) {
    rules.allow_if(SCMP_SYS(prctl), masked(0, kLow32, option));
  }
  scmp_arg_cmp const own_limit[] = {masked(0, kLow32, 0), {2, SCMP_CMP_EQ, 0, 0}};
  rules.allow_all(SCMP_SYS(prlimit64), own_limit);
}

Result<void> set(scmp_filter_ctx filter, scmp_filter_attr attribute, std::uint32_t value) {
  if (int const done = ::seccomp_attr_set(filter, attribute, value); done < 0) return Error::os(-done, "seccomp_attr_set");
  return {};
}

}  // namespace

Result<std::vector<std::uint64_t>> build_gateway_filter() {
  std::unique_ptr<void, decltype(&::seccomp_release)> filter(::seccomp_init(SCMP_ACT_ERRNO(EPERM)), ::seccomp_release);
  if (!filter) return Error{Code::os, ENOMEM, "seccomp: no filter"};
  if (auto done = set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS); !done) return done.error();
  if (auto done = set(filter.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2); !done) return done.error();  // a binary tree
  Rules rules(filter.get());
  for (int const call : kAllowed) rules.allow(call);
  for (int const call : kUnknown) rules.pretend_missing(call);
  allow_memory_that_is_not_code(rules);
  allow_sockets(rules);
  allow_flags_of_descriptors(rules);
  allow_questions(rules);
  if (rules.error() != 0) return Error::os(rules.error(), "building the gateway's seccomp filter");
  return export_program(filter.get());
}

}  // namespace sallyport::proxy
