#include "jail/process_events.hpp"

#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace sallyport::jail {
namespace {

constexpr std::chrono::milliseconds kAnswerPatience{500};
constexpr int kKeptBytes = 4 * 1024 * 1024;  // some 10,000 events, should this process not come to read them
constexpr std::size_t kMaxBatch = 4096;
constexpr std::size_t kHead = NLMSG_HDRLEN + sizeof(cn_msg);  // of every message

std::optional<proc_event> event_in(std::span<std::byte const> datagram) {
  constexpr std::size_t kLeast = offsetof(proc_event, event_data) + sizeof(proc_event::event_data.ack);
  cn_msg message{};
  if (datagram.size() < kHead + kLeast) return std::nullopt;
  std::memcpy(&message, datagram.data() + NLMSG_HDRLEN, sizeof message);
  if (message.id.idx != CN_IDX_PROC || message.id.val != CN_VAL_PROC) return std::nullopt;
  proc_event event{};
  std::memcpy(&event, datagram.data() + kHead, std::min(sizeof event, datagram.size() - kHead));
  return event;
}

/// The datagram's size, 0 if there is none.
Result<std::size_t> receive(int socket, std::span<std::byte> buffer) {
  for (;;) {
    sockaddr_nl sender{};
    socklen_t size = sizeof sender;
    auto const got = ::recvfrom(socket, buffer.data(), buffer.size(), MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&sender), &size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return std::size_t{0};
    if (got < 0) return Error::os(errno, "process events");
    if (sender.nl_pid == 0) return static_cast<std::size_t>(got);  // else another process sent it, and not the kernel
  }
}

/// Lets processes' forks, execs and exits pass, and answers: on a busy machine most of what happens are threads.
Result<void> drop_threads(int socket) {
  constexpr unsigned kWhat = kHead, kData = kHead + offsetof(proc_event, event_data);
  constexpr unsigned kFork = kData + offsetof(decltype(proc_event::event_data.fork), child_pid);
  constexpr unsigned kExit = kData + offsetof(decltype(proc_event::event_data.exit), process_pid);
  // A load turns the bytes of a word around: constants are turned around, too; for the equality of two words it is all one.
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kWhat),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(proc_event::PROC_EVENT_NONE), 11, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(proc_event::PROC_EVENT_EXEC), 10, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(proc_event::PROC_EVENT_FORK), 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(proc_event::PROC_EVENT_EXIT), 4, 9),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kFork),
      BPF_STMT(BPF_MISC | BPF_TAX, 0),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kFork + sizeof(pid_t)),
      BPF_JUMP(BPF_JMP | BPF_JA, 3, 0, 0),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kExit),
      BPF_STMT(BPF_MISC | BPF_TAX, 0),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kExit + sizeof(pid_t)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, ~0U),
      BPF_STMT(BPF_RET | BPF_K, 0),
  };
  sock_fprog const filter{std::size(program), program};
  if (::setsockopt(socket, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) < 0) return Error::os(errno, "process events");
  return {};
}

/// "Tell me from now on."
Result<void> ask(int socket) {
  constexpr proc_cn_mcast_op kOperation = PROC_CN_MCAST_LISTEN;
  std::array<std::byte, kHead + sizeof kOperation> bytes{};
  nlmsghdr header{};
  header.nlmsg_len = bytes.size();
  header.nlmsg_type = NLMSG_DONE;
  cn_msg message{};
  message.id = {CN_IDX_PROC, CN_VAL_PROC};
  message.len = sizeof kOperation;
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + NLMSG_HDRLEN, &message, sizeof message);
  std::memcpy(bytes.data() + kHead, &kOperation, sizeof kOperation);
  if (::send(socket, bytes.data(), bytes.size(), 0) < 0) return Error::os(errno, "process events");
  return {};
}

Result<void> await_answer(int socket) {
  std::array<std::byte, 1024> buffer{};
  pollfd waiting{socket, POLLIN, 0};
  auto const end = std::chrono::steady_clock::now() + kAnswerPatience;
  while (std::chrono::steady_clock::now() < end && ::poll(&waiting, 1, static_cast<int>(kAnswerPatience.count())) > 0) {
    auto const size = receive(socket, buffer);
    if (!size) return size.error();
    auto const event = event_in(std::span(buffer).first(*size));
    if (!event || event->what != proc_event::PROC_EVENT_NONE) continue;
    if (event->event_data.ack.err != 0) return Error::os(static_cast<int>(event->event_data.ack.err), "process events");
    return {};
  }
  return Error{Code::unsupported, 0, "the kernel reports no process events here"};
}

}  // namespace

std::optional<ProcessEvent> parse_process_event(std::span<std::byte const> datagram) {
  auto const event = event_in(datagram);
  if (!event) return std::nullopt;
  auto const& data = event->event_data;
  switch (event->what) {
    case proc_event::PROC_EVENT_FORK:
      if (data.fork.child_pid != data.fork.child_tgid) return std::nullopt;
      return ProcessEvent{ProcessEvent::Kind::forked, data.fork.child_tgid, data.fork.parent_tgid, 0};
    case proc_event::PROC_EVENT_EXEC:
      return ProcessEvent{ProcessEvent::Kind::executed, data.exec.process_tgid, 0, 0};
    case proc_event::PROC_EVENT_EXIT:
      if (data.exit.process_pid != data.exit.process_tgid) return std::nullopt;
      return ProcessEvent{ProcessEvent::Kind::exited, data.exit.process_tgid, 0, static_cast<int>(data.exit.exit_code)};
    default:
      return std::nullopt;
  }
}

Result<ProcessEvents> ProcessEvents::subscribe() {
  auto socket = UniqueFd::adopt(::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_CONNECTOR), "process events");
  if (!socket) return socket.error();
  if (::setsockopt(socket->get(), SOL_SOCKET, SO_RCVBUFFORCE, &kKeptBytes, sizeof kKeptBytes) < 0)
    ::setsockopt(socket->get(), SOL_SOCKET, SO_RCVBUF, &kKeptBytes, sizeof kKeptBytes);
  sockaddr_nl group{};
  group.nl_family = AF_NETLINK;
  group.nl_groups = CN_IDX_PROC;
  if (::bind(socket->get(), reinterpret_cast<sockaddr const*>(&group), sizeof group) < 0) return Error::os(errno, "process events");
  if (auto filtered = drop_threads(socket->get()); !filtered) return filtered.error();
  if (auto asked = ask(socket->get()); !asked) return asked.error();
  if (auto answered = await_answer(socket->get()); !answered) return answered.error();
  return ProcessEvents(*std::move(socket));
}

Result<ProcessEvents::Batch> ProcessEvents::read() {
  Batch batch;
  std::array<std::byte, 1024> buffer{};
  while (batch.events.size() < kMaxBatch) {
    auto const size = receive(socket_.get(), buffer);
    if (!size && size.error().os_errno == ENOBUFS) {
      batch.lost = true;
      continue;
    }
    if (!size) return size.error();
    if (*size == 0) break;
    if (auto event = parse_process_event(std::span(buffer).first(*size))) batch.events.push_back(*event);
  }
  return batch;
}

}  // namespace sallyport::jail
