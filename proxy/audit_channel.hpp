#pragma once
// The gateway's end of the channel to the supervisor (audit/channel.hpp): records out, acknowledgements and Stop in.

#include "audit/channel.hpp"
#include "base/limits.hpp"
#include "base/unique_fd.hpp"
#include "proxy/audit_port.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sallyport::proxy {

/// What the supervisor asks for while the gateway runs. A policy comes as the memory file that holds its bundle, a credential's value in one.
struct SupervisorOrders {
  std::function<void(std::string tenant, UniqueFd bundle)> new_policy;
  std::function<void(std::string name, UniqueFd value)> new_credential;
  std::function<void()> drain;
};

/// Why run() ended.
enum class ChannelEnd {
  stop,  // the supervisor asked for it, or the worker ends by itself
  lost,  // closed, broken, or nonsense received: the audit log is gone
};

/// One worker's share of the numbers of requests: no other worker gives out any of these.
struct RequestNumbers {
  std::uint64_t first = 1;
  std::uint64_t step = 1;
};

/// Thread: its worker's. Lifetime: outlives every await on it.
/// Messages wait in a queue: whoever runs the event loop calls flush() when nothing else is to be done, or when it is_due().
class AuditChannel final : public AuditPort {
 public:
  /// `socket` is SOCK_SEQPACKET; made non-blocking here.
  AuditChannel(asio::io_context& io, UniqueFd socket, RequestNumbers numbers = {});

  std::uint64_t next_request_id() override { return std::exchange(next_request_id_, next_request_id_ + request_step_); }
  awaitable<Result<void>> record(audit::EgressRequest request) override { return record_event(std::move(request)); }
  awaitable<Result<void>> record(audit::DnsQuery query) override { return record_event(std::move(query)); }
  awaitable<Asker> who_asks(audit::Flow flow) override;
  void post(audit::Event event) override;
  awaitable<void> wait_for_room() override;

  /// Sends Ready or Fatal, after what was posted before.
  void send(audit::channel::ToSupervisor const& message);
  /// Receives until the channel ends, and passes orders on. When it is lost, every waiting record() fails and nothing more is sent; after Stop,
  /// records of how things ended are still sent.
  awaitable<ChannelEnd> run(SupervisorOrders orders);
  /// Sends what is queued, in few system calls. Does not wait.
  void flush();
  /// Whether the first message has waited for limits::kMaxRecordWait.
  bool is_due() const;
  /// Sends what is still queued, blocking. For the end of the process.
  void flush_blocking();

 private:
  awaitable<Result<void>> record_event(audit::Event event);
  struct Waiter {
    explicit Waiter(Executor executor) : wake(std::move(executor), Timer::time_point::max()) {}
    Timer wake;
    bool written = false;
  };

  struct Question {
    explicit Question(Executor executor) : wake(std::move(executor), Timer::time_point::max()) {}
    Timer wake;
    Asker answer;
  };

  void enqueue(std::string message);
  void wait_writable();
  bool send_packet();
  void lose();
  awaitable<ChannelEnd> receive_all(SupervisorOrders const& orders);
  /// False on nonsense.
  bool obey(audit::channel::ToGateway const& message, SupervisorOrders const& orders);
  std::optional<std::string_view> receive();
  void on_written(std::uint64_t last_ticket);
  void on_asker(audit::channel::Asker const& asker);

  static constexpr std::size_t kMaxAnswerBytes = 16 * limits::kMaxAskerPathBytes;  // two paths, however they are written

  Descriptor socket_;
  std::array<char, kMaxAnswerBytes> packet_;
  std::optional<UniqueFd> received_fd_;  // that came with the packet
  std::deque<std::string> queue_;
  std::chrono::steady_clock::time_point queued_since_;  // of the first message
  bool full_ = false;  // the socket: it says when it takes more
  bool lost_ = false;
  std::uint64_t next_request_id_;
  std::uint64_t const request_step_;
  std::uint64_t last_ticket_ = 0;
  std::map<std::uint64_t, Waiter*> waiters_;  // by ticket; each lives in its record() frame
  std::list<Waiter*> room_waiters_;
  std::uint64_t last_question_ = 0;
  std::map<std::uint64_t, Question*> questions_;  // by ticket; each lives in its who_asks() frame
};

}  // namespace sallyport::proxy
