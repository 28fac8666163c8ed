#include "proxy/packet_log.hpp"

#include "base/limits.hpp"
#include "policies/verdict.hpp"

#include <sys/socket.h>

#include <linux/netlink.h>

#include <cerrno>
#include <string>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;

constexpr std::size_t kLogDatagramBytes = 64 * 1024;
constexpr int kMaxRest = 1024;  // datagrams recorded after Stop

std::string_view reason_of(std::string_view prefix) {
  if (prefix == "udp") return reason::kUdp;
  if (prefix == "loopback") return reason::kHostLoopback;
  return reason::kProtocol;
}

struct Received {
  std::string datagram;  // empty: there is none, or another process sent it
  int error = 0;
};

/// One datagram of the kernel, if there is one.
Received receive(int fd) {
  Received received{std::string(kLogDatagramBytes, '\0')};
  sockaddr_nl sender{};
  socklen_t size = sizeof sender;
  auto* const address = static_cast<sockaddr*>(static_cast<void*>(&sender));  // SAFETY: the size goes with it
  ssize_t const got = ::recvfrom(fd, received.datagram.data(), kLogDatagramBytes, MSG_DONTWAIT, address, &size);
  if (got < 0) received.error = errno;
  received.datagram.resize(got > 0 && sender.nl_pid == 0 ? static_cast<std::size_t>(got) : 0);
  return received;
}

void record_datagram(std::string_view datagram, AuditPort& audit) {
  auto const packets = parse_reject_messages(datagram);
  if (!packets) return audit.post(audit::LimitHit{"packet_log", packets.error().what});
  for (auto const& packet : *packets) audit.post(record_of(packet, audit.next_request_id()));
}

enum class Left : bool { nothing, maybe_more };

Left record_one(int fd, AuditPort& audit) {
  auto const received = receive(fd);
  if (received.error == ENOBUFS)
    audit.post(audit::LimitHit{"packet_log", "packets came faster than they could be recorded"});
  if (!received.datagram.empty()) record_datagram(received.datagram, audit);
  return received.error == 0 || received.error == ENOBUFS ? Left::maybe_more : Left::nothing;
}

/// At the end of the session: what the kernel has reported already.
void record_rest(int fd, AuditPort& audit) {
  for (int i = 0; i < kMaxRest && record_one(fd, audit) == Left::maybe_more; ++i) continue;
}

}  // namespace

audit::EgressRequest record_of(RejectedPacket const& packet, std::uint64_t id) {
  audit::EgressRequest record;
  record.id = id;
  record.leg = audit::Leg::packet;
  record.host = packet.destination.to_string();
  record.port = packet.destination_port;
  record.verdict = "deny";
  record.rule = "default";
  record.reason = reason_of(packet.prefix);
  record.flow = audit::Flow{protocol_name(packet.protocol), packet.source.to_string(), packet.source_port,
                            packet.destination.to_string(), packet.destination_port};
  return record;
}

awaitable<void> read_packet_log(UniqueFd socket, AuditPort& audit) {
  Descriptor descriptor(co_await asio::this_coro::executor, std::move(socket).release());
  for (;;) {
    auto [ec] = co_await descriptor.async_wait(asio::posix::descriptor_base::wait_read);
    if (ec) co_return record_rest(descriptor.native_handle(), audit);
    co_await audit.wait_for_room();
    static_cast<void>(record_one(descriptor.native_handle(), audit));
  }
}

}  // namespace sallyport::proxy
