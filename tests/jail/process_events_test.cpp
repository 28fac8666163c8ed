#include "jail/process_events.hpp"

#include "tests/jail/forked.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>

namespace sallyport::jail {
namespace {

using Kind = ProcessEvent::Kind;

/// A message of the kernel's.
std::vector<std::byte> message(proc_event const& event) {
  std::vector<std::byte> bytes(NLMSG_HDRLEN + sizeof(cn_msg) + sizeof event);
  cn_msg head{};
  head.id = {CN_IDX_PROC, CN_VAL_PROC};
  head.len = sizeof event;
  std::memcpy(bytes.data() + NLMSG_HDRLEN, &head, sizeof head);
  std::memcpy(bytes.data() + NLMSG_HDRLEN + sizeof head, &event, sizeof event);
  return bytes;
}

proc_event of(decltype(proc_event::what) what) {
  proc_event event{};
  event.what = what;
  return event;
}

TEST(ProcessEvents, ReadsForksExecsAndExitsOfProcesses) {
  auto fork = of(proc_event::PROC_EVENT_FORK);
  fork.event_data.fork = {10, 9, 20, 20};  // a thread of 9 forked
  EXPECT_EQ(parse_process_event(message(fork)), (ProcessEvent{Kind::forked, 20, 9, 0}));
  auto exec = of(proc_event::PROC_EVENT_EXEC);
  exec.event_data.exec = {21, 20};
  EXPECT_EQ(parse_process_event(message(exec)), (ProcessEvent{Kind::executed, 20, 0, 0}));
  auto exit = of(proc_event::PROC_EVENT_EXIT);
  exit.event_data.exit = {20, 20, 0x700, 17, 9, 9};
  EXPECT_EQ(parse_process_event(message(exit)), (ProcessEvent{Kind::exited, 20, 0, 0x700}));
}

TEST(ProcessEvents, ThreadsAndOtherNewsAreNothing) {
  auto thread = of(proc_event::PROC_EVENT_FORK);
  thread.event_data.fork = {9, 9, 21, 9};
  EXPECT_EQ(parse_process_event(message(thread)), std::nullopt);
  auto end = of(proc_event::PROC_EVENT_EXIT);
  end.event_data.exit = {21, 9, 0, 17, 1, 1};
  EXPECT_EQ(parse_process_event(message(end)), std::nullopt);
  EXPECT_EQ(parse_process_event(message(of(proc_event::PROC_EVENT_UID))), std::nullopt);
  EXPECT_EQ(parse_process_event(message(of(proc_event::PROC_EVENT_NONE))), std::nullopt);
}

TEST(ProcessEvents, AMessageThatIsCutOffOrAnotherConnectorsIsNothing) {
  auto exec = of(proc_event::PROC_EVENT_EXEC);
  exec.event_data.exec = {20, 20};
  auto bytes = message(exec);
  for (std::size_t size = 0; size < NLMSG_HDRLEN + sizeof(cn_msg) + 16; ++size)
    EXPECT_EQ(parse_process_event(std::span(bytes).first(size)), std::nullopt) << size;
  bytes[NLMSG_HDRLEN] = std::byte{9};
  EXPECT_EQ(parse_process_event(bytes), std::nullopt);
}

TEST(ProcessEvents, TellsWhatAProcessDoesInOrder) {
  auto events = ProcessEvents::subscribe();
  if (!events) GTEST_SKIP() << "the kernel tells only the machine's own root: " << events.error().what;
  pid_t const child = ::fork();
  if (child == 0) {
    ::execl("/bin/sh", "sh", "-c", "exit 7", nullptr);
    ::_exit(1);
  }
  std::vector<ProcessEvent> seen;
  pollfd waiting{events->descriptor(), POLLIN, 0};
  while (seen.size() < 3 && ::poll(&waiting, 1, 10'000) > 0) {
    auto const batch = events->read();
    ASSERT_TRUE(batch);
    std::ranges::copy_if(batch->events, std::back_inserter(seen), [&](auto const& event) { return event.pid == child; });
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_THAT(seen, testing::ElementsAre(ProcessEvent{Kind::forked, child, ::getpid(), 0}, ProcessEvent{Kind::executed, child, 0, 0},
                                         ProcessEvent{Kind::exited, child, 0, 7 << 8}));
}

/// They would wake the reader for nothing.
TEST(ProcessEvents, TheKernelKeepsThreadsToItself) {
  auto events = ProcessEvents::subscribe();
  if (!events) GTEST_SKIP() << "the kernel tells only the machine's own root: " << events.error().what;
  for (int i = 0; i < 50; ++i) std::thread([] {}).join();
  std::array<char, 1024> buffer{};
  int of_threads = 0;
  while (::recv(events->descriptor(), buffer.data(), buffer.size(), MSG_DONTWAIT) > 0) {
    proc_event event{};
    std::memcpy(&event, buffer.data() + NLMSG_HDRLEN + sizeof(cn_msg), sizeof event);
    if (event.what == proc_event::PROC_EVENT_FORK && event.event_data.fork.child_tgid == ::getpid()) ++of_threads;
    if (event.what == proc_event::PROC_EVENT_EXIT && event.event_data.exit.process_tgid == ::getpid()) ++of_threads;
  }
  EXPECT_EQ(of_threads, 0);
}

/// Root of a user namespace is not told what the machine does.
TEST(ProcessEvents, AContainerIsToldNothing) {
  in_own_network([] { EXPECT_FALSE(ProcessEvents::subscribe()); });
}

}  // namespace
}  // namespace sallyport::jail
