#pragma once
// One DNS message from the jail in, the stub's answer out. Asks nobody: an allowed name gets its synthetic address.
// No I/O. Thread: its worker's. Hardened against hostile bytes. Sources: RFC 1035, RFC 6761 section 6.3 (localhost),
// RFC 2308 (NODATA).

#include "audit/event.hpp"
#include "policies/engine.hpp"
#include "proxy/dns_message.hpp"
#include "proxy/name_guard.hpp"
#include "proxy/synthetic_names.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace sallyport::proxy {

struct DnsReply {
  std::string bytes;                      // empty: the message is not even a query, and gets no answer
  std::optional<audit::DnsQuery> record;  // one for each question that could be read; its flow is not set
  bool exhausted = false;                 // no synthetic address is left
};

class DnsResponder {
 public:
  /// All outlive the responder.
  DnsResponder(policies::Engine const& engine, SyntheticNames& names, NameGuard& guard)
      : engine_(engine), names_(names), guard_(guard) {}

  /// Allowed names: A and AAAA answered, every other type NODATA. Names that are not allowed, not canonical, or
  /// refused by the guard: NXDOMAIN.
  /// "localhost" and names below it: the loopback addresses. Classes other than IN: REFUSED. No address left: SERVFAIL.
  DnsReply reply(std::string_view message);

 private:
  struct Finding;
  Finding find(dns::Question const& question);
  Finding find_allowed(policies::CanonicalHost const& name, std::uint16_t qtype, policies::Verdict const& verdict);

  policies::Engine const& engine_;
  SyntheticNames& names_;
  NameGuard& guard_;
};

}  // namespace sallyport::proxy
