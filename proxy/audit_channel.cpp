#include "proxy/audit_channel.hpp"

#include "base/defer.hpp"
#include "base/limits.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace sallyport::proxy {
namespace {

constexpr std::size_t kBatch = 64;  // packets in one system call

/// What one sendmmsg call needs; points into the queue.
struct Batch {
  explicit Batch(std::deque<std::string>& queue) : count(std::min(queue.size(), kBatch)) {
    for (std::size_t i = 0; i < count; ++i) {
      parts[i] = iovec{queue[i].data(), queue[i].size()};
      headers[i].msg_hdr.msg_iov = &parts[i];
      headers[i].msg_hdr.msg_iovlen = 1;
    }
  }
  std::size_t count;
  std::array<iovec, kBatch> parts{};
  std::array<mmsghdr, kBatch> headers{};
};

/// The descriptor that came with a packet.
std::optional<UniqueFd> attached_fd(msghdr& header) {
  auto const* message = CMSG_FIRSTHDR(&header);
  if (message == nullptr || message->cmsg_level != SOL_SOCKET || message->cmsg_type != SCM_RIGHTS) return std::nullopt;
  int fd = -1;
  std::memcpy(&fd, CMSG_DATA(message), sizeof fd);
  auto adopted = UniqueFd::adopt(fd, "descriptor of a message");
  if (!adopted) return std::nullopt;
  return *std::move(adopted);
}

}  // namespace

AuditChannel::AuditChannel(asio::io_context& io, UniqueFd socket) : socket_(io, std::move(socket).release()) {
  socket_.native_non_blocking(true);
}

awaitable<Result<void>> AuditChannel::record_event(audit::Event event) {
  if (lost_) co_return Error{Code::closed, 0, "audit log: the supervisor is gone"};
  Waiter waiter(co_await asio::this_coro::executor);
  std::uint64_t const ticket = ++last_ticket_;
  waiters_.emplace(ticket, &waiter);
  Defer const forget([&] { waiters_.erase(ticket); });
  enqueue(encode(audit::channel::ToSupervisor(audit::channel::Record{ticket, std::move(event)})));
  co_await waiter.wake.async_wait();
  if (!waiter.written) co_return Error{Code::closed, 0, "audit log: the record was not written"};
  co_return Result<void>();
}

void AuditChannel::post(audit::Event event) {
  enqueue(encode(audit::channel::ToSupervisor(audit::channel::Record{0, std::move(event)})));
}

void AuditChannel::send(audit::channel::ToSupervisor const& message) { enqueue(encode(message)); }

awaitable<void> AuditChannel::wait_for_room() {
  if (lost_ || queue_.size() < limits::kMaxQueuedRecords) co_return;
  Waiter waiter(co_await asio::this_coro::executor);
  auto const place = room_waiters_.insert(room_waiters_.end(), &waiter);
  Defer const forget([&] { room_waiters_.erase(place); });
  co_await waiter.wake.async_wait();
}

void AuditChannel::enqueue(std::string packet) {
  if (lost_) return;
  queue_.push_back(std::move(packet));
  if (flush_pending_) return;
  flush_pending_ = true;
  asio::post(socket_.get_executor(), [this] { flush(); });
}

void AuditChannel::flush() {
  flush_pending_ = false;
  while (!queue_.empty()) {
    if (send_batch()) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return lose();
    return wait_writable();
  }
  for (auto* waiter : room_waiters_) waiter->wake.cancel();
}

void AuditChannel::wait_writable() {
  flush_pending_ = true;
  socket_.async_wait(asio::posix::descriptor_base::wait_write, [this](auto ec) {
    if (!ec) flush();
  });
}

/// Sends the front of the queue; false with errno when nothing could be sent.
bool AuditChannel::send_batch() {
  Batch batch(queue_);
  int const sent =
      ::sendmmsg(socket_.native_handle(), batch.headers.data(), static_cast<unsigned>(batch.count), MSG_NOSIGNAL);
  if (sent < 0) return errno == EINTR;
  queue_.erase(queue_.begin(), queue_.begin() + sent);
  return true;
}

void AuditChannel::lose() {
  lost_ = true;
  queue_.clear();
  for (auto& [ticket, waiter] : waiters_) waiter->wake.cancel();
  for (auto* waiter : room_waiters_) waiter->wake.cancel();
}

void AuditChannel::flush_blocking() {
  if (lost_) return;
  socket_.native_non_blocking(false);
  while (!queue_.empty() && send_batch()) {}
}

awaitable<ChannelEnd> AuditChannel::run(SupervisorOrders orders) {
  auto const how = co_await receive_all(orders);
  if (how == ChannelEnd::lost) lose();
  co_return how;
}

awaitable<ChannelEnd> AuditChannel::receive_all(SupervisorOrders const& orders) {
  for (;;) {
    auto [ec] = co_await socket_.async_wait(asio::posix::descriptor_base::wait_read);
    if (ec) co_return ChannelEnd::lost;
    while (auto const packet = receive()) {
      auto message = audit::channel::decode_to_gateway(*packet);
      if (!message) co_return ChannelEnd::lost;
      if (std::holds_alternative<audit::channel::Stop>(*message)) co_return ChannelEnd::stop;
      if (!obey(*message, orders)) co_return ChannelEnd::lost;
    }
    if (errno != EAGAIN && errno != EWOULDBLOCK) co_return ChannelEnd::lost;
  }
}

bool AuditChannel::obey(audit::channel::ToGateway const& message, SupervisorOrders const& orders) {
  auto attached = std::exchange(received_fd_, std::nullopt);
  bool const wants_fd = std::holds_alternative<audit::channel::NewPolicy>(message);
  if (wants_fd != attached.has_value()) return false;
  if (wants_fd) orders.new_policy(*std::move(attached));
  if (std::holds_alternative<audit::channel::Drain>(message)) orders.drain();
  if (auto const* written = std::get_if<audit::channel::Written>(&message)) on_written(written->ticket);
  return true;
}

/// One packet, valid until the next call; nothing at the end of the channel (errno 0) or with errno. One that is too long is cut, and
/// then is not a message.
std::optional<std::string_view> AuditChannel::receive() {
  iovec part{packet_.data(), packet_.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  ssize_t const got = ::recvmsg(socket_.native_handle(), &header, MSG_CMSG_CLOEXEC);
  if (got >= 0) received_fd_ = attached_fd(header);
  if (got == 0) errno = 0;
  if (got <= 0) return std::nullopt;
  return std::string_view(packet_.data(), static_cast<std::size_t>(got));
}

void AuditChannel::on_written(std::uint64_t ticket) {
  auto const found = waiters_.find(ticket);
  if (found == waiters_.end()) return;  // its session ended while it waited
  found->second->written = true;
  found->second->wake.cancel();
}

}  // namespace sallyport::proxy
