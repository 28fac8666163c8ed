#pragma once
// The one table of record types, field names and field order. The audit line and the channel are both made from it, and
// docs/audit_format.md describes it. Constants only; included by event.cpp and event_json.cpp.

#include "audit/event.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>

namespace sallyport::audit {

enum class Presence {
  always,
  unless_empty,  // left out when it is empty, zero, false or absent
};

template <class Object, class Value>
struct Field {
  std::string_view name;
  Value Object::*member;
  Presence presence;
};

template <class Object, class Value>
constexpr Field<Object, Value> always(std::string_view name, Value Object::*member) {
  return {name, member, Presence::always};
}
template <class Object, class Value>
constexpr Field<Object, Value> maybe(std::string_view name, Value Object::*member) {
  return {name, member, Presence::unless_empty};
}

/// Words of an enum, in the order of its enumerators.
template <class Enum>
struct Words;
template <>
struct Words<Leg> {
  static constexpr std::array<std::string_view, 7> kWords = {"connect", "absolute", "socks5", "transparent", "packet", "syscall", "sni"};
};
template <>
struct Words<EgressTunnel::Phase> {
  static constexpr std::array<std::string_view, 2> kWords = {"open", "close"};
};
template <class Enum>
constexpr std::string_view word_of(Enum value) {
  return Words<Enum>::kWords.at(static_cast<std::size_t>(value));
}

/// Fields of an object that stands inside a record.
template <class Object>
struct Layout;
template <>
struct Layout<Flow> {
  static constexpr auto kFields = std::tuple{
      always("protocol", &Flow::protocol),      maybe("local_address", &Flow::local_address),
      maybe("local_port", &Flow::local_port),   maybe("remote_address", &Flow::remote_address),
      maybe("remote_port", &Flow::remote_port),
  };
};
template <>
struct Layout<Process> {
  static constexpr auto kFields = std::tuple{
      always("pid", &Process::pid),
      maybe("exe", &Process::exe),
      maybe("argv", &Process::argv),
      maybe("chain", &Process::chain),
  };
};

/// A record: its type, its phase if the type has records of several kinds and they are different structures, its fields.
template <>
struct Layout<SessionStart> {
  static constexpr std::string_view kType = "session.start";
  static constexpr std::string_view kPhase = "";
  static constexpr auto kFields = std::tuple{
      always("version", &SessionStart::version),    always("key", &SessionStart::key),
      always("policy", &SessionStart::policy),      maybe("policy_digest", &SessionStart::policy_digest),
      maybe("layers", &SessionStart::layers),       always("enforced", &SessionStart::enforced),
      always("degraded", &SessionStart::degraded),  maybe("host", &SessionStart::host),
      maybe("kernel", &SessionStart::kernel),       always("uid", &SessionStart::uid),
      maybe("workspace", &SessionStart::workspace), maybe("argv", &SessionStart::argv),
  };
};
template <>
struct Layout<SessionTenant> {
  static constexpr std::string_view kType = "session.tenant";
  static constexpr std::string_view kPhase = "";
  static constexpr auto kFields = std::tuple{
      always("tenant", &SessionTenant::tenant),
      always("policy", &SessionTenant::policy),
      maybe("policy_digest", &SessionTenant::policy_digest),
      maybe("layers", &SessionTenant::layers),
  };
};
template <>
struct Layout<CommandExec> {
  static constexpr std::string_view kType = "command.exec";
  static constexpr std::string_view kPhase = "";
  static constexpr auto kFields = std::tuple{
      always("pid", &CommandExec::pid),          always("ppid", &CommandExec::ppid),
      maybe("parent", &CommandExec::parent),     always("exe", &CommandExec::exe),
      always("argv", &CommandExec::argv),        maybe("argv_cut", &CommandExec::argv_cut),
      maybe("cwd", &CommandExec::cwd),           always("uid", &CommandExec::uid),
      always("verdict", &CommandExec::verdict),  always("verified", &CommandExec::verified),
      maybe("mismatch", &CommandExec::mismatch),
  };
};
template <>
struct Layout<CommandExit> {
  static constexpr std::string_view kType = "command.exit";
  static constexpr std::string_view kPhase = "";
  static constexpr auto kFields = std::tuple{
      always("pid", &CommandExit::pid),
      maybe("exec", &CommandExit::exec),
      maybe("exit_code", &CommandExit::exit_code),
      maybe("signal", &CommandExit::signal),
      always("duration_us", &CommandExit::duration_us),
  };
};
template <>
struct Layout<DnsQuery> {
  static constexpr std::string_view kType = "dns.query";
  static constexpr std::string_view kPhase = "";
  static constexpr auto kFields = std::tuple{
      always("name", &DnsQuery::name),    always("qtype", &DnsQuery::qtype),  always("verdict", &DnsQuery::verdict),
      maybe("rule", &DnsQuery::rule),     maybe("reason", &DnsQuery::reason), always("rcode", &DnsQuery::rcode),
      maybe("answer", &DnsQuery::answer), maybe("flow", &DnsQuery::flow),     maybe("process", &DnsQuery::process),
  };
};
template <>
struct Layout<EgressRequest> {
  static constexpr std::string_view kType = "egress.request";
  static constexpr std::string_view kPhase = "verdict";
  static constexpr auto kFields = std::tuple{
      always("id", &EgressRequest::id),
      always("leg", &EgressRequest::leg),
      maybe("method", &EgressRequest::method),
      maybe("scheme", &EgressRequest::scheme),
      always("host", &EgressRequest::host),
      always("port", &EgressRequest::port),
      maybe("path", &EgressRequest::path),
      always("verdict", &EgressRequest::verdict),
      maybe("rule", &EgressRequest::rule),
      maybe("reason", &EgressRequest::reason),
      maybe("detail", &EgressRequest::detail),
      maybe("sni", &EgressRequest::sni),
      maybe("alpn", &EgressRequest::alpn),
      maybe("addresses", &EgressRequest::addresses),
      maybe("via", &EgressRequest::via),
      maybe("resolved_by", &EgressRequest::resolved_by),
      maybe("status", &EgressRequest::status),
      maybe("tenant", &EgressRequest::tenant),
      maybe("flow", &EgressRequest::flow),
      maybe("process", &EgressRequest::process),
  };
};
template <>
struct Layout<EgressDone> {
  static constexpr std::string_view kType = "egress.request";
  static constexpr std::string_view kPhase = "end";
  static constexpr auto kFields = std::tuple{
      always("id", &EgressDone::id),
      maybe("address", &EgressDone::address),
      maybe("status", &EgressDone::status),
      always("bytes_up", &EgressDone::bytes_up),
      always("bytes_down", &EgressDone::bytes_down),
      maybe("messages_up", &EgressDone::messages_up),
      maybe("messages_down", &EgressDone::messages_down),
      always("connect_us", &EgressDone::connect_us),
      always("duration_us", &EgressDone::duration_us),
      maybe("reason", &EgressDone::reason),
      maybe("error", &EgressDone::error),
  };
};
template <>
struct Layout<EgressTunnel> {
  static constexpr std::string_view kType = "egress.tunnel";
  static constexpr std::string_view kPhase = "";
  static constexpr auto kFields = std::tuple{
      always("phase", &EgressTunnel::phase),
      always("id", &EgressTunnel::id),
      maybe("address", &EgressTunnel::address),
      maybe("bytes_up", &EgressTunnel::bytes_up),
      maybe("bytes_down", &EgressTunnel::bytes_down),
      maybe("connect_us", &EgressTunnel::connect_us),
      maybe("duration_us", &EgressTunnel::duration_us),
      maybe("error", &EgressTunnel::error),
  };
};
template <>
struct Layout<DlpFinding> {
  static constexpr std::string_view kType = "dlp.finding";
  static constexpr std::string_view kPhase = "";
  static constexpr auto kFields = std::tuple{
      always("id", &DlpFinding::id),
      always("host", &DlpFinding::host),
      always("detector", &DlpFinding::detector),
      always("severity", &DlpFinding::severity),
      always("certainty", &DlpFinding::certainty),
      always("action", &DlpFinding::action),
      always("place", &DlpFinding::place),
      always("offset", &DlpFinding::offset),
      always("length", &DlpFinding::length),
      maybe("codings", &DlpFinding::codings),
      always("digest", &DlpFinding::digest),
      maybe("known", &DlpFinding::known),
  };
};
template <>
struct Layout<CredentialUse> {
  static constexpr std::string_view kType = "credential.use";
  static constexpr std::string_view kPhase = "";
  static constexpr auto kFields = std::tuple{
      always("id", &CredentialUse::id),
      always("name", &CredentialUse::name),
      always("host", &CredentialUse::host),
      always("place", &CredentialUse::place),
  };
};
template <>
struct Layout<LimitHit> {
  static constexpr std::string_view kType = "limit.hit";
  static constexpr std::string_view kPhase = "";
  static constexpr auto kFields = std::tuple{
      always("limit", &LimitHit::limit),
      maybe("detail", &LimitHit::detail),
  };
};
template <>
struct Layout<PolicyReload> {
  static constexpr std::string_view kType = "policy.reload";
  static constexpr std::string_view kPhase = "";
  static constexpr auto kFields = std::tuple{
      always("outcome", &PolicyReload::outcome), always("trigger", &PolicyReload::trigger),
      maybe("tenant", &PolicyReload::tenant),
      maybe("policy", &PolicyReload::policy),    maybe("policy_digest", &PolicyReload::policy_digest),
      maybe("layers", &PolicyReload::layers),    maybe("closed", &PolicyReload::closed),
      maybe("detail", &PolicyReload::detail),
  };
};
template <>
struct Layout<SessionEnd> {
  static constexpr std::string_view kType = "session.end";
  static constexpr std::string_view kPhase = "";
  static constexpr auto kFields = std::tuple{
      always("cause", &SessionEnd::cause),   maybe("exit_code", &SessionEnd::exit_code),
      maybe("signal", &SessionEnd::signal),  always("duration_us", &SessionEnd::duration_us),
      always("counts", &SessionEnd::counts),
  };
};

}  // namespace sallyport::audit
