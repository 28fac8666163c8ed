#pragma once
// The answer of the policy engine: always with the rule and the reason. The default is deny.

#include <boost/system/result.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace sallyport::policies {

enum class Action { deny, allow, ask };
std::string_view to_string(Action action);

/// Reason codes: the `reason` of audit records and the `Sallyport-Reason` header. Words are fixed; add, never rename.
namespace reason {
inline constexpr std::string_view kAllowed = "allowed";
inline constexpr std::string_view kNoRule = "no_rule";                // no rule names this host
inline constexpr std::string_view kRuleDenies = "rule_denies";        // a rule with action: deny
inline constexpr std::string_view kNeedsApproval = "needs_approval";  // a rule with action: ask
inline constexpr std::string_view kPort = "port_not_allowed";
inline constexpr std::string_view kMethod = "method_not_allowed";
inline constexpr std::string_view kPath = "path_not_allowed";
inline constexpr std::string_view kQuery = "query_not_allowed";
inline constexpr std::string_view kHeader = "header_not_allowed";
inline constexpr std::string_view kWebSocket = "websocket_not_allowed";  // the rule's requests may not become WebSockets
inline constexpr std::string_view kProcess = "process_not_allowed";      // the rule is for other executables
inline constexpr std::string_view kGitRepo = "git_repo_not_allowed";     // git, of a repository the rule does not list
inline constexpr std::string_view kGitWrite = "git_write_not_allowed";   // a push, and the rule lets git read only
inline constexpr std::string_view kRequestBody = "request_body_limit";   // a rule's `limits`
inline constexpr std::string_view kUpload = "upload_limit";
inline constexpr std::string_view kRate = "rate_limit";
inline constexpr std::string_view kConnections = "connection_limit";
inline constexpr std::string_view kSecret = "secret_found";  // dlp: the request holds what must not leave
inline constexpr std::string_view kUnreadable = "unreadable_body";  // dlp: a Content-Encoding that cannot be undone
inline constexpr std::string_view kCredentialMisuse = "credential_misuse";  // a credential or its placeholder where it may not go
inline constexpr std::string_view kScheme = "scheme_not_allowed";  // plain HTTP to a TLS-only rule
inline constexpr std::string_view kIpLiteral = "ip_literal";       // an address was dialled, and no rule names it
inline constexpr std::string_view kAddressClass =
    "address_class";  // the name resolves to an address the rule does not admit
inline constexpr std::string_view kInspection = "inspection_unavailable";  // the rule asks for `full`
inline constexpr std::string_view kSniMismatch = "sni_mismatch";           // CONNECT name, SNI and Host are not one name
inline constexpr std::string_view kHostMismatch = "host_mismatch";
inline constexpr std::string_view kNoSni = "no_sni";
inline constexpr std::string_view kNotTls = "not_tls";          // neither TLS nor HTTP; or HTTP without TLS on port 443
inline constexpr std::string_view kBadRequest = "bad_request";  // could not be parsed
inline constexpr std::string_view kBadHost = "bad_host";        // not a host in canonical or convertible form
inline constexpr std::string_view kTooLarge = "too_large";
inline constexpr std::string_view kTimeout = "timeout";
inline constexpr std::string_view kResolveFailed = "resolve_failed";
inline constexpr std::string_view kConnectFailed = "connect_failed";
inline constexpr std::string_view kUpstreamProxy = "upstream_proxy_failed";  // the operator's own proxy: not there, or it said no
inline constexpr std::string_view kClientRejectedCa = "client_rejected_ca";  // it does not trust the session's authority, or pins
inline constexpr std::string_view kClientTlsFailed = "client_tls_failed";
inline constexpr std::string_view kUpstreamTlsFailed = "upstream_tls_failed";
inline constexpr std::string_view kUpstreamHttp1 = "upstream_not_http2";  // gRPC, and the server speaks HTTP/1.1
inline constexpr std::string_view kUpstreamExpired = "upstream_cert_expired";
inline constexpr std::string_view kUpstreamNotYetValid = "upstream_cert_not_yet_valid";
inline constexpr std::string_view kUpstreamSelfSigned = "upstream_self_signed";
inline constexpr std::string_view kUpstreamWrongName = "upstream_wrong_name";
inline constexpr std::string_view kUpstreamUntrusted = "upstream_untrusted";  // nobody we trust vouches for it
inline constexpr std::string_view kUpstreamCertInvalid = "upstream_cert_invalid";
inline constexpr std::string_view kUdp = "udp_not_allowed";            // a datagram; there is no UDP out of the jail
inline constexpr std::string_view kProtocol = "protocol_not_allowed";  // ICMP, raw sockets, other socket families
inline constexpr std::string_view kHostLoopback = "host_loopback";     // a loopback port nothing in the jail listens on
inline constexpr std::string_view kNetworkNone = "network_none";       // the policy has no network
inline constexpr std::string_view kPolicyChanged = "policy_changed";  // a policy that came while it was under way does not allow it
inline constexpr std::string_view kInternal = "internal_error";        // our own failure; fails closed
}  // namespace reason

struct Verdict {
  Action action = Action::deny;
  std::string rule = "default";         // name of the rule that decided
  std::string reason{reason::kNoRule};  // one of reason::
  std::string hint;                     // one sentence for a person or an agent: what could be allowed, and how
  std::string file;                     // where the rule stands; empty for "default" and --allow
  int line = 0;
  bool operator==(Verdict const&) const = default;
};
static_assert(Action{} == Action::deny);

/// A permission, or the verdict that denies it.
template <class T>
using Decision = boost::system::result<T, Verdict>;

[[noreturn]] inline void throw_exception_from_error(Verdict const& verdict, boost::source_location const&) {
  throw std::runtime_error("denied: " + verdict.reason);
}

}  // namespace sallyport::policies
