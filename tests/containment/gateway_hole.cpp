#include "tests/containment/gateway_hole.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <new>
#include <stdexcept>

namespace sallyport::tests {

namespace {
constexpr int kSignal = SIGUSR2;
constexpr int kPatienceSeconds = 20;
constexpr std::size_t kMemory = 8192;
}  // namespace

struct GatewayHole::Shared {
  sem_t done;
  long number = 0;
  std::array<long, 6> arguments{};
  Answer answer;
  alignas(16) char memory[kMemory]{};
};

GatewayHole::Shared* GatewayHole::shared_ = nullptr;

GatewayHole::GatewayHole() {
  void* const place = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) throw std::runtime_error("shared memory");
  shared_ = new (place) Shared;
  struct sigaction action {};
  action.sa_handler = serve;
  if (::sem_init(&shared_->done, 1, 0) != 0 || ::sigaction(kSignal, &action, nullptr) != 0) throw std::runtime_error("hole");
}

GatewayHole::~GatewayHole() {
  ::signal(kSignal, SIG_DFL);
  ::munmap(shared_, sizeof(Shared));
}

void GatewayHole::serve(int) {
  int const before = errno;
  auto const& a = shared_->arguments;
  long const result = ::syscall(shared_->number, a[0], a[1], a[2], a[3], a[4], a[5]);
  shared_->answer = {result, result < 0 ? errno : 0};
  ::sem_post(&shared_->done);
  errno = before;
}

Answer GatewayHole::run(pid_t pid, Syscall const& call) {
  shared_->number = call.number;
  shared_->arguments = call.arguments;
  if (::kill(pid, kSignal) != 0) throw std::runtime_error("no process to run " + call.name + " in");
  timespec until{};
  ::clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += kPatienceSeconds;
  while (::sem_timedwait(&shared_->done, &until) != 0) {
    if (errno != EINTR) throw std::runtime_error("no answer to " + call.name);
  }
  return shared_->answer;
}

long GatewayHole::memory() const { return reinterpret_cast<long>(shared_->memory); }

long GatewayHole::put(std::string const& text) {
  if (used_ + text.size() + 1 > kMemory) throw std::runtime_error("the shared memory is full");
  char* const place = shared_->memory + used_;
  std::memcpy(place, text.c_str(), text.size() + 1);
  used_ += text.size() + 1;
  return reinterpret_cast<long>(place);
}

}  // namespace sallyport::tests
