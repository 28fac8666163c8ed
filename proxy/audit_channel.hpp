#pragma once
// The gateway's end of the channel to the supervisor (audit/channel.hpp): records out, acknowledgements and Stop in.

#include "audit/channel.hpp"
#include "base/unique_fd.hpp"
#include "proxy/audit_port.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sallyport::proxy {

/// What the supervisor asks for while the gateway runs. A policy comes as the memory file that holds its bundle.
struct SupervisorOrders {
  std::function<void(UniqueFd bundle)> new_policy;
  std::function<void()> drain;
};

/// Why run() ended.
enum class ChannelEnd {
  stop,  // the supervisor asked for it
  lost,  // closed, broken, or nonsense received: the audit log is gone
};

/// Thread: the gateway's. Lifetime: outlives every await on it.
/// Messages of one turn of the event loop leave with one system call.
class AuditChannel final : public AuditPort {
 public:
  /// `socket` is SOCK_SEQPACKET; made non-blocking here.
  AuditChannel(asio::io_context& io, UniqueFd socket);

  std::uint64_t next_request_id() override { return ++last_request_id_; }
  awaitable<Result<void>> record(audit::EgressRequest request) override { return record_event(std::move(request)); }
  awaitable<Result<void>> record(audit::DnsQuery query) override { return record_event(std::move(query)); }
  void post(audit::Event event) override;
  awaitable<void> wait_for_room() override;

  /// Sends Ready or Fatal, after what was posted before.
  void send(audit::channel::ToSupervisor const& message);
  /// Receives until the channel ends, and passes orders on. When it is lost, every waiting record() fails and nothing more is sent; after Stop,
  /// records of how things ended are still sent.
  awaitable<ChannelEnd> run(SupervisorOrders orders);
  /// Sends what is still queued, blocking. For the end of the process.
  void flush_blocking();

 private:
  awaitable<Result<void>> record_event(audit::Event event);
  struct Waiter {
    explicit Waiter(asio::any_io_executor executor) : wake(std::move(executor), Timer::time_point::max()) {}
    Timer wake;
    bool written = false;
  };

  void enqueue(std::string packet);
  void flush();
  void wait_writable();
  bool send_batch();
  void lose();
  awaitable<ChannelEnd> receive_all(SupervisorOrders const& orders);
  /// False on nonsense.
  bool obey(audit::channel::ToGateway const& message, SupervisorOrders const& orders);
  std::optional<std::string_view> receive();
  void on_written(std::uint64_t ticket);

  static constexpr std::size_t kMaxAnswerBytes = 1024;  // each message takes a tenth of it

  Descriptor socket_;
  std::array<char, kMaxAnswerBytes> packet_;
  std::optional<UniqueFd> received_fd_;  // that came with the packet
  std::deque<std::string> queue_;
  bool flush_pending_ = false;
  bool lost_ = false;
  std::uint64_t last_request_id_ = 0;
  std::uint64_t last_ticket_ = 0;
  std::unordered_map<std::uint64_t, Waiter*> waiters_;  // by ticket; each lives in its record() frame
  std::list<Waiter*> room_waiters_;
};

}  // namespace sallyport::proxy
