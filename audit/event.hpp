#pragma once
// What happened: one value per audit record. Values; any thread. Strings may hold any bytes from hostile code:
// json_line makes them safe. Field names and words are those of docs/audit_format.md.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sallyport::audit {

/// How the target of a request was learnt.
enum class Leg {
  connect,      // HTTP CONNECT
  absolute,     // absolute-form HTTP/1.1
  socks5,       // SOCKS5 CONNECT by name
  transparent,  // a connection to any address, captured
  packet,       // not TCP: rejected in the namespace and reported from there
  syscall,      // a socket the seccomp filter refused
  sni,          // TLS sent to a listener that takes its target from the ClientHello
};
std::string_view to_string(Leg leg);

/// A connection or datagram as the jail's kernel sees it: who made it is looked up with this key.
struct Flow {
  std::string protocol = "tcp";  // tcp, udp, icmp, icmpv6, or a number
  std::string local_address;     // of the jailed socket
  std::uint16_t local_port = 0;
  std::string remote_address;    // as dialled or as accepted
  std::uint16_t remote_port = 0;
  bool operator==(Flow const&) const = default;
};

struct Process {
  int pid = 0;                        // as the host sees it
  std::string exe;
  std::vector<std::string> argv;
  std::vector<std::uint64_t> chain;   // seq of the command.exec records that led here, outermost first
  bool operator==(Process const&) const = default;
};

struct SessionStart {
  std::string version;
  std::string policy;
  std::string policy_digest;
  std::vector<std::string> layers;
  std::vector<std::string> enforced;  // protections that stand, by name
  std::vector<std::string> degraded;  // protections the user gave up by name; empty otherwise
  std::string host;
  std::string kernel;
  std::uint32_t uid = 0;
  std::string workspace;
  std::vector<std::string> argv;
  std::string key;                    // Ed25519 public key, "ed25519:<base64>"; filled in by the sink
};

/// One of the tenants of `proxy`: who it is decides which policy judges a request. Behind session.start, one for each.
struct SessionTenant {
  std::string tenant;
  std::string policy;
  std::string policy_digest;
  std::vector<std::string> layers;
};

struct CommandExec {
  int pid = 0;
  int ppid = 0;
  std::string exe;                    // resolved path inside the jail
  std::vector<std::string> argv;
  bool argv_cut = false;              // longer than limits::kMaxArgvBytes
  std::string cwd;
  std::uint32_t uid = 0;
  bool verified = false;              // /proc after the exec shows this exe and argv
  std::string mismatch;               // why not verified, empty if it is
  std::string verdict = "allow";
  std::optional<std::uint64_t> parent;  // seq of the command.exec of the parent process
};

struct CommandExit {
  int pid = 0;
  std::uint64_t exec = 0;             // seq of its last command.exec
  std::optional<int> exit_code;       // one of these two, where the kernel tells
  std::optional<int> signal;
  std::uint64_t duration_us = 0;
};

struct DnsQuery {
  std::string name;
  std::string qtype;                  // "A", "AAAA", "TYPE65"
  std::string verdict;                // allow, deny
  std::string rule;
  std::string reason;
  std::string rcode;                  // NOERROR, NXDOMAIN, …
  std::string answer;                 // the synthetic address, empty if none
  Flow flow;
  std::optional<Process> process;
  bool cut = false;                   // a value was too long and has been cut on the way
};

/// The one verdict record of a request. Written before the first byte goes upstream.
struct EgressRequest {
  std::uint64_t id = 0;               // of the request within the session: EgressTunnel and EgressDone refer to it
  Leg leg = Leg::connect;
  std::string method;                 // empty if not HTTP
  std::string scheme;                 // of an HTTP request: http, or https where TLS ended in the gateway
  std::string host;
  std::uint16_t port = 0;
  std::string path;
  std::string verdict;                // allow, deny
  std::string rule;
  std::string reason;
  std::string detail;                 // one sentence, for people
  std::string sni;
  std::vector<std::string> alpn;
  std::vector<std::string> addresses; // admitted; one of them is dialled
  std::string via;                    // the upstream proxy on the way, without its credentials; empty if there is none
  std::string resolved_by;            // "upstream": that proxy looks the name up, and no address was admitted
  int status = 0;                     // of a refusal; 0 otherwise
  std::string tenant;                 // of `proxy`, whose policy decided; empty: the session's
  Flow flow;
  std::optional<Process> process;
  bool cut = false;                   // a value was too long and has been cut on the way
};

/// How an allowed HTTP request ended. No verdict in it. Record type egress.request with "phase":"end".
struct EgressDone {
  std::uint64_t id = 0;
  std::string address;                // that was dialled
  int status = 0;                     // 0 if no response head came
  std::uint64_t bytes_up = 0;         // body bytes
  std::uint64_t bytes_down = 0;
  std::uint64_t messages_up = 0;      // of a WebSocket
  std::uint64_t messages_down = 0;
  std::uint64_t connect_us = 0;
  std::uint64_t duration_us = 0;
  std::string reason;                 // code, if the server was not reached or not to be trusted
  std::string error;                  // why it ended early, empty if it did not
  bool cut = false;                   // a value was too long and has been cut on the way
};

/// Life of an allowed tunnel, after its EgressRequest.
struct EgressTunnel {
  enum class Phase { open, close };
  Phase phase = Phase::open;
  std::uint64_t id = 0;
  std::string address;
  std::uint64_t bytes_up = 0;
  std::uint64_t bytes_down = 0;
  std::uint64_t connect_us = 0;
  std::uint64_t duration_us = 0;
  std::string error;
  bool cut = false;                   // a value was too long and has been cut on the way
};

/// A secret in a request, named without telling it. Stands in front of the verdict that it leads to, or behind it when it was found in a
/// body that was already on its way.
struct DlpFinding {
  std::uint64_t id = 0;               // of the request
  std::string host;                   // where it was to go
  std::string detector;
  std::string severity;               // low, medium, high, critical
  std::string certainty;              // verified, shaped, look_alike, guess
  std::string action;                 // block, redact, alert
  std::string place;                  // host, url, header, body, trailer
  std::uint64_t offset = 0;           // in the place: of the secret, or of the coded stretch that holds it
  std::uint64_t length = 0;
  std::vector<std::string> codings;   // outermost first; empty if it stood there in plain
  std::string digest;                 // salted: the same for the same value in one session
  std::string known;                  // name of the variable it is the value of, if it is a known one
  bool cut = false;                   // a value was too long and has been cut on the way
};

/// A real value took the place of a placeholder. Stands in front of the verdict of its request.
struct CredentialUse {
  std::uint64_t id = 0;               // of the request
  std::string name;                   // of the credential
  std::string host;
  std::string place;                  // head, body
  bool cut = false;                   // a value was too long and has been cut on the way
};

struct LimitHit {
  std::string limit;                  // name: "timeout", "connections", "packet_log", …
  std::string detail;
  bool cut = false;                   // a value was too long and has been cut on the way
};

/// The policy was to be exchanged while the session runs. From this record on the new one decides, if it was applied.
struct PolicyReload {
  std::string outcome;                // applied, rejected, unchanged
  std::string trigger;                // signal, file
  std::string tenant;                 // of `proxy`, whose policy it is; empty: the session's
  std::string policy;                 // of the new policy, unless it was rejected
  std::string policy_digest;
  std::vector<std::string> layers;
  std::uint64_t closed = 0;           // live connections and requests that it does not allow
  std::string detail;                 // why it was rejected: file:line:column and what is wrong, a line each
};

struct SessionEnd {
  std::optional<int> exit_code;
  std::optional<int> signal;
  std::string cause;                  // exited, signaled, timeout, gateway_lost, audit_failed, setup_failed
  std::uint64_t duration_us = 0;
  std::map<std::string, std::uint64_t> counts;  // records by type, and "denied"; filled in by the sink
};

using Event = std::variant<SessionStart, SessionTenant, CommandExec, CommandExit, DnsQuery, EgressRequest, EgressDone, EgressTunnel, DlpFinding, CredentialUse, LimitHit,
                           PolicyReload, SessionEnd>;

}  // namespace sallyport::audit
