#pragma once
// Reads the kernel's log of rejected packets and records each as a denied request.

#include "base/unique_fd.hpp"
#include "proxy/audit_port.hpp"
#include "proxy/reject_message.hpp"

namespace sallyport::proxy {

/// The record of one packet: leg packet, deny, and the reason its rule's prefix stands for ("udp", "proto", "loopback").
audit::EgressRequest record_of(RejectedPacket const& packet, std::uint64_t id);

/// Reads `socket` (nfnetlink_log, bound to its group) until cancelled. Takes messages of the kernel only. Messages that the
/// kernel dropped because they came too fast are one LimitHit. Thread: its worker's. `audit` outlives it.
awaitable<void> read_packet_log(UniqueFd socket, AuditPort& audit);

}  // namespace sallyport::proxy
