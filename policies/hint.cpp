#include "policies/hint.hpp"

#include "policies/quote.hpp"

namespace sallyport::policies {

namespace {

std::string allow_flag(Request const& request) {
  auto const port = request.port == 443 ? "" : ":" + std::to_string(request.port);
  return "`--allow " + request.host.authority() + port + "`";
}

std::string extend_rule(Rule const& rule, std::string const& what) {
  return "rule " + rule.name + " would have to " + what + ".";
}

/// What a rule that names the host would have to say.
std::string change_for(std::string_view reason, Request const& request, Rule const& rule) {
  auto const host = request.host.str();
  if (reason == reason::kRuleDenies) return "rule " + rule.name + " denies this, and deny beats every allow.";
  if (reason == reason::kNeedsApproval) {
    return "rule " + rule.name + " asks a person first, which this version cannot do; it would have to say action: allow.";
  }
  if (reason == reason::kPort) {
    return extend_rule(rule, "list port " + std::to_string(request.port) + ", or use " + allow_flag(request));
  }
  if (reason == reason::kProcess) return extend_rule(rule, "list this executable under processes");
  if (reason == reason::kMethod) return extend_rule(rule, "list method " + in_quotes(request.method));
  if (reason == reason::kPath) return extend_rule(rule, rule.git ? "allow more than git" : "list this path");
  if (reason == reason::kQuery) return extend_rule(rule, "accept this query");
  if (reason == reason::kHeader) return extend_rule(rule, "accept these header fields");
  if (reason == reason::kWebSocket) {
    return "this is a WebSocket, which sends more than the " + in_quotes(request.method) + " it begins with; " +
           extend_rule(rule, "say websocket: true");
  }
  if (reason == reason::kGitRepo) return extend_rule(rule, "list this repository under git: repos");
  if (reason == reason::kGitWrite) {
    return "git may fetch from " + host + " here, and not push; " + extend_rule(rule, "say access: write");
  }
  return extend_rule(rule, "say inspect: sni and limit nothing that only an opened connection shows");
}

}  // namespace

std::string hint_for(std::string_view reason, Request const& request, Rule const* rule) {
  std::string const start = "Do not retry: ";
  if (reason == reason::kNetworkNone) {
    return start + "this session has no network; allow this host with " + allow_flag(request) +
           " or a policy that names it.";
  }
  if (reason == reason::kIpLiteral) {
    return start + "addresses are refused unless a rule names them; use the host's name, or a rule with hosts: [" +
           request.host.str() + "].";
  }
  if (reason == reason::kNotTls) return "Use https://" + request.host.authority() + "/: nothing goes to port 443 in the clear.";
  if (rule == nullptr)
    return start + "no rule allows this host; allow it with " + allow_flag(request) + " or a rule that names it.";
  auto const note = rule->hint.empty() ? "" : rule->hint + (rule->hint.ends_with('.') ? " " : ". ");
  return start + note + change_for(reason, request, *rule);
}

std::string address_hint(CanonicalHost const& host, IpAddress const& address, Rule const& rule) {
  auto const kind = std::string(to_string(classify(address)));
  return "Do not retry: " + host.str() + " leads to the " + kind + " address " + address.to_string() + "; " +
         extend_rule(rule, "say resolve: [" + address.to_string() + "]");
}

}  // namespace sallyport::policies
