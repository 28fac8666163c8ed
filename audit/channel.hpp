#pragma once
// Messages between gateway and supervisor over one SOCK_SEQPACKET socket pair, one or more messages a packet, one a line.
// Pure encoding; any thread. The supervisor treats what it decodes as hostile: the gateway parses bytes from the network.

#include "audit/event.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace sallyport::audit::channel {

/// Gateway -> supervisor.
struct Ready {};                       // confined, listening sockets adopted
struct Record {                        // please write this event; answered by Written
  std::uint64_t ticket = 0;            // greater than that of every record before; 0: no answer wanted
  Event event;                         // DnsQuery, EgressRequest, EgressDone, EgressTunnel, DlpFinding, CredentialUse or LimitHit; others are an error
};
struct Fatal {                         // the gateway cannot go on; it exits after this
  std::string what;
};
struct PolicyAnswer {                  // to NewPolicy. When it was taken, every record before was decided by the old policy, every one after by the new
  std::string digest;                  // of the policy that was taken; empty if it was not
  std::uint64_t closed = 0;            // live connections and requests that it does not allow
  std::string error;                   // why it was not taken
};
struct WhoAsks {                       // for a verdict that depends on it; answered by Asker
  std::uint64_t ticket = 0;
  Flow flow;
};
struct Alive {};                       // answers AreYouAlive
using ToSupervisor = std::variant<Ready, Record, Fatal, PolicyAnswer, WhoAsks, Alive>;

/// Supervisor -> gateway.
struct Written {                       // the records with this ticket and with every ticket before are in the file
  std::uint64_t ticket = 0;
};
struct Stop {};                        // finish: close everything and exit 0
struct Drain {};                       // accept no more; exit 0 when the last connection has ended
struct NewPolicy {                     // goes with one descriptor: a sealed memory file that holds a policies/bundle; one PolicyAnswer comes
  std::string tenant;                  // whose it is; empty: the session's
};
struct NewCredential {                 // goes with one descriptor: a memory file that holds the new value of the credential
  std::string name;
};
struct Asker {                         // who has the other end of the flow; empty: it is not known
  std::uint64_t ticket = 0;
  std::string executable;
  std::string script;                  // that the executable runs, if it is an interpreter
};
struct AreYouAlive {};                 // answered by Alive, unless the worker hangs
using ToGateway = std::variant<Written, Stop, Drain, NewPolicy, NewCredential, Asker, AreYouAlive>;

std::string encode(ToSupervisor const& message);
std::string encode(ToGateway const& message);
/// Error::invalid on anything but exactly one well-formed message.
Result<ToSupervisor> decode_to_supervisor(std::string_view bytes);
Result<ToGateway> decode_to_gateway(std::string_view bytes);

}  // namespace sallyport::audit::channel
