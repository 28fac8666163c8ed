#pragma once
// The sockets of the DNS stub inside the jail: UDP, and TCP with its two-byte length (RFC 1035 section 4.2, RFC 7766).
// Every question is posted to the audit log before its answer leaves. Never asks a server.

#include "base/unique_fd.hpp"
#include "proxy/audit_port.hpp"
#include "proxy/dns_responder.hpp"
#include "proxy/net_address.hpp"
#include "proxy/stream.hpp"
#include "proxy/task_set.hpp"

#include <chrono>

namespace sallyport::proxy {

/// Lifetime: all outlive the stub.
struct DnsStubDeps {
  DnsResponder& responder;
  AuditPort& audit;
  TaskSet& connections;  // one task a TCP connection
};

/// Thread: its worker's. Lifetime: outlives the tasks it runs.
class DnsStub {
 public:
  explicit DnsStub(DnsStubDeps deps) : deps_(deps) {}

  /// Answers each datagram from the socket it came to, so that connection tracking can undo a redirect. Until cancelled.
  awaitable<void> serve_udp(UdpSocket socket);
  /// Accepts connections, each with any number of questions; at most limits::kMaxDnsConnections at once. Until cancelled.
  awaitable<void> accept_tcp(Acceptor acceptor);

 private:
  awaitable<void> serve_connection(Stream stream, audit::Flow flow);
  awaitable<std::string> answer(std::string message, audit::Flow flow);
  void note_exhaustion();

  DnsStubDeps deps_;
  std::chrono::steady_clock::time_point last_limit_hit_;
};

}  // namespace sallyport::proxy
