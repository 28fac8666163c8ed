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

AuditChannel::AuditChannel(asio::io_context& io, UniqueFd socket, RequestNumbers numbers)
    : socket_(io, std::move(socket).release()), next_request_id_(numbers.first), request_step_(numbers.step) {
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

/// A supervisor that is gone knows nobody; what is asked for then is not recorded, and goes nowhere.
awaitable<Asker> AuditChannel::who_asks(audit::Flow flow) {
  if (lost_) co_return Asker{};
  Question question(co_await asio::this_coro::executor);
  std::uint64_t const ticket = ++last_question_;
  questions_.emplace(ticket, &question);
  Defer const forget([&] { questions_.erase(ticket); });
  enqueue(encode(audit::channel::ToSupervisor(audit::channel::WhoAsks{ticket, std::move(flow)})));
  co_await question.wake.async_wait();
  co_return std::move(question.answer);
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

void AuditChannel::enqueue(std::string message) {
  if (lost_) return;
  if (queue_.empty()) queued_since_ = std::chrono::steady_clock::now();
  queue_.push_back(std::move(message));
}

bool AuditChannel::is_due() const {
  return !queue_.empty() && !full_ && std::chrono::steady_clock::now() - queued_since_ >= limits::kMaxRecordWait;
}

void AuditChannel::flush() {
  if (full_) return;
  while (!queue_.empty()) {
    if (send_packet()) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return lose();
    return wait_writable();
  }
  for (auto* waiter : room_waiters_) waiter->wake.cancel();
}

void AuditChannel::wait_writable() {
  full_ = true;
  socket_.async_wait(asio::posix::descriptor_base::wait_write, [this](auto ec) {
    full_ = false;
    if (!ec) flush();
  });
}

/// Sends the front of the queue as one packet; false with errno when nothing could be sent.
bool AuditChannel::send_packet() {
  std::string packet = queue_.front();
  std::size_t count = 1;
  for (; count < queue_.size() && packet.size() + 1 + queue_[count].size() <= limits::kMaxChannelMessageBytes; ++count) {
    packet += '\n';
    packet += queue_[count];
  }
  if (::send(socket_.native_handle(), packet.data(), packet.size(), MSG_NOSIGNAL) < 0) return errno == EINTR;
  queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(count));
  return true;
}

void AuditChannel::lose() {
  lost_ = true;
  queue_.clear();
  for (auto& [ticket, waiter] : waiters_) waiter->wake.cancel();
  for (auto* waiter : room_waiters_) waiter->wake.cancel();
  for (auto& [ticket, question] : questions_) question->wake.cancel();
}

void AuditChannel::flush_blocking() {
  if (lost_) return;
  socket_.native_non_blocking(false);
  while (!queue_.empty() && send_packet()) {}
}

awaitable<ChannelEnd> AuditChannel::run(SupervisorOrders orders) {
  auto const how = co_await receive_all(orders);
  if (how == ChannelEnd::lost) lose();
  co_return how;
}

awaitable<ChannelEnd> AuditChannel::receive_all(SupervisorOrders const& orders) {
  for (;;) {
    auto [ec] = co_await socket_.async_wait(asio::posix::descriptor_base::wait_read);
    if (ec == asio::error::operation_aborted) co_return ChannelEnd::stop;  // by us: what is queued is still to be sent
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
  auto const* policy = std::get_if<audit::channel::NewPolicy>(&message);
  auto const* credential = std::get_if<audit::channel::NewCredential>(&message);
  if ((policy != nullptr || credential != nullptr) != attached.has_value()) return false;
  if (policy != nullptr) orders.new_policy(policy->tenant, *std::move(attached));
  if (credential != nullptr) orders.new_credential(credential->name, *std::move(attached));
  if (std::holds_alternative<audit::channel::Drain>(message)) orders.drain();
  if (std::holds_alternative<audit::channel::AreYouAlive>(message)) send(audit::channel::Alive{});
  if (auto const* written = std::get_if<audit::channel::Written>(&message)) on_written(written->ticket);
  if (auto const* asker = std::get_if<audit::channel::Asker>(&message)) on_asker(*asker);
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

/// A waiter forgets itself only when it runs again, so the range stays as it is.
void AuditChannel::on_written(std::uint64_t last_ticket) {
  auto const end = waiters_.upper_bound(last_ticket);
  for (auto waiter = waiters_.begin(); waiter != end; ++waiter) {
    waiter->second->written = true;
    waiter->second->wake.cancel();
  }
}

/// One that is not asked for any more has gone.
void AuditChannel::on_asker(audit::channel::Asker const& asker) {
  auto const found = questions_.find(asker.ticket);
  if (found == questions_.end()) return;
  found->second->answer = {asker.executable, asker.script};
  found->second->wake.cancel();
}

}  // namespace sallyport::proxy
