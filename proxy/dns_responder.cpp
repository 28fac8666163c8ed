#include "proxy/dns_responder.hpp"

#include "base/limits.hpp"

#include <array>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;
using dns::Rcode;

constexpr std::uint16_t kClassIn = 1;

std::string_view rcode_name(Rcode rcode) {
  switch (rcode) {
    case Rcode::no_error:
      return "NOERROR";
    case Rcode::form_error:
      return "FORMERR";
    case Rcode::server_failure:
      return "SERVFAIL";
    case Rcode::name_error:
      return "NXDOMAIN";
    case Rcode::not_implemented:
      return "NOTIMP";
    case Rcode::refused:
      return "REFUSED";
  }
  return "";
}

bool is_localhost(policies::CanonicalHost const& name) {
  constexpr std::string_view kBelow = ".localhost";
  return name.str() == "localhost" || name.str().ends_with(kBelow);
}

SyntheticPair loopback() {
  return {policies::IpAddress::from_v4({127, 0, 0, 1}),
          policies::IpAddress::from_v6({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1})};
}

std::optional<policies::IpAddress> pick(SyntheticPair const& pair, std::uint16_t qtype) {
  if (qtype == dns::kTypeA) return pair.v4;
  if (qtype == dns::kTypeAaaa) return pair.v6;
  return std::nullopt;
}

policies::Verdict denied_for(std::string_view why) {
  policies::Verdict verdict;
  verdict.reason = why;
  return verdict;
}

policies::Verdict always_allowed() {
  return policies::Verdict{policies::Action::allow, "default", std::string(reason::kAllowed), {}, {}, 0};
}

}  // namespace

struct DnsResponder::Finding {
  policies::Verdict verdict;
  Rcode rcode = Rcode::name_error;
  std::optional<policies::IpAddress> address;
};

DnsReply DnsResponder::reply(std::string_view message) {
  auto const question = dns::parse_question(message);
  if (!question) {
    auto const id = dns::query_id(message);
    auto const rcode = question.error().code == Code::unsupported ? Rcode::not_implemented : Rcode::form_error;
    return {id ? dns::error_answer(*id, rcode) : std::string(), std::nullopt, false};
  }
  auto const finding = find(*question);
  audit::DnsQuery record;
  record.name = question->name;
  record.qtype = dns::type_name(question->qtype);
  record.verdict = finding.verdict.action == policies::Action::allow ? "allow" : "deny";
  record.rule = finding.verdict.rule;
  record.reason = finding.verdict.reason;
  record.rcode = rcode_name(finding.rcode);
  if (finding.address) record.answer = finding.address->to_string();
  auto bytes = dns::answer(*question, finding.rcode, finding.address, limits::kSyntheticTtlSeconds);
  return {std::move(bytes), std::move(record), finding.rcode == Rcode::server_failure};
}

DnsResponder::Finding DnsResponder::find(dns::Question const& question) {
  if (question.qclass != kClassIn) return {denied_for(reason::kBadRequest), Rcode::refused, std::nullopt};
  auto const name = policies::CanonicalHost::from(question.name);
  if (!name || name->is_address()) return {denied_for(reason::kBadHost), Rcode::name_error, std::nullopt};
  if (is_localhost(*name)) return {always_allowed(), Rcode::no_error, pick(loopback(), question.qtype)};
  auto verdict = engine_.resolvable(*name);
  if (verdict.action != policies::Action::allow) return {std::move(verdict), Rcode::name_error, std::nullopt};
  if (!guard_.check(*name, verdict.rule, question.name)) return {denied_for(kNameRefused), Rcode::name_error, std::nullopt};
  return find_allowed(*name, question.qtype, verdict);
}

DnsResponder::Finding DnsResponder::find_allowed(policies::CanonicalHost const& name, std::uint16_t qtype,
                                                 policies::Verdict const& verdict) {
  auto const addresses = names_.addresses_of(name);
  if (!addresses) return {denied_for(reason::kTooLarge), Rcode::server_failure, std::nullopt};
  return {verdict, Rcode::no_error, pick(*addresses, qtype)};
}

}  // namespace sallyport::proxy
