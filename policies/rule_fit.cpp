#include "policies/rule_fit.hpp"

#include "policies/condition.hpp"
#include "policies/git_request.hpp"
#include "policies/verdict.hpp"

#include <algorithm>

namespace sallyport::policies {

namespace {

template <class T>
bool holds(std::vector<T> const& any_if_empty, T const& value) {
  return any_if_empty.empty() || std::find(any_if_empty.begin(), any_if_empty.end(), value) != any_if_empty.end();
}

bool any_matches(std::vector<PathGlob> const& globs, std::string_view text) {
  return std::any_of(globs.begin(), globs.end(), [&](PathGlob const& glob) { return glob.matches(text); });
}

bool process_fits(CompiledRule const& compiled, Request const& request) {
  if (compiled.processes.empty()) return true;
  if (request.process.empty()) return compiled.rule->action != Action::allow;
  return any_matches(compiled.processes, request.process) || (!request.script.empty() && any_matches(compiled.processes, request.script));
}

Fit git_fit(CompiledRule const& compiled, Request const& request) {
  auto const asked = git_request_of(request.method, *request.path);
  if (asked.kind == GitRequest::Kind::other) return Fit::wrong_path;
  if (!any_matches(compiled.repos, asked.repo)) return Fit::wrong_repo;
  bool const may = asked.kind == GitRequest::Kind::read || compiled.rule->git->access == GitAccess::write;
  return may ? Fit::whole : Fit::wrong_access;
}

Fit path_fit(CompiledRule const& compiled, Request const& request) {
  if (!request.path) return needs_request(*compiled.rule) ? Fit::wrong_path : Fit::whole;
  if (compiled.rule->git) return git_fit(compiled, request);
  if (!compiled.paths.empty() && !any_matches(compiled.paths, request.path->path())) return Fit::wrong_path;
  auto const quantifier = compiled.rule->action == Action::allow ? Quantifier::every : Quantifier::any;
  if (!query_holds(compiled.rule->query, request.path->query(), quantifier)) return Fit::wrong_query;
  return Fit::whole;
}

/// Rules that deny or ask mean the request, whatever becomes of it.
bool upgrade_fits(Rule const& rule, Upgrade upgrade) {
  if (upgrade == Upgrade::none || rule.action != Action::allow) return true;
  if (rule.websocket != WebSocketUse::by_methods) return rule.websocket == WebSocketUse::allowed;
  return rule.methods.empty() && !rule.git;
}

}  // namespace

Fit fit(CompiledRule const& compiled, Request const& request) {
  Rule const& rule = *compiled.rule;
  if (!holds(rule.ports, request.port)) return Fit::wrong_port;
  if (!process_fits(compiled, request)) return Fit::wrong_process;
  bool const is_request = request.scheme == Scheme::http || request.scheme == Scheme::https;
  if (!is_request) return needs_request(rule) ? Fit::unseen : Fit::whole;
  if (!holds(rule.methods, request.method)) return Fit::wrong_method;
  if (auto const path = path_fit(compiled, request); path != Fit::whole) return path;
  auto const quantifier = rule.action == Action::allow ? Quantifier::every : Quantifier::any;
  if (!headers_hold(rule.headers, request.headers, quantifier)) return Fit::wrong_header;
  return upgrade_fits(rule, request.upgrade) ? Fit::whole : Fit::wrong_upgrade;
}

bool needs_request(Rule const& rule) {
  bool const is_plain = rule.methods.empty() && rule.paths.empty() && rule.query.empty() && rule.headers.empty() && !rule.git;
  return !is_plain || rule.websocket == WebSocketUse::refused;
}

bool covers_port(Rule const& rule, std::uint16_t port) {
  return !needs_request(rule) && rule.processes.empty() && holds(rule.ports, port);
}

std::string_view reason_of(Fit fit) {
  switch (fit) {
    case Fit::wrong_port:
      return reason::kPort;
    case Fit::wrong_process:
      return reason::kProcess;
    case Fit::wrong_method:
      return reason::kMethod;
    case Fit::wrong_path:
      return reason::kPath;
    case Fit::wrong_repo:
      return reason::kGitRepo;
    case Fit::wrong_access:
      return reason::kGitWrite;
    case Fit::wrong_query:
      return reason::kQuery;
    case Fit::wrong_header:
      return reason::kHeader;
    case Fit::wrong_upgrade:
      return reason::kWebSocket;
    case Fit::unseen:
    case Fit::whole:
      return reason::kInspection;
  }
  return reason::kInternal;
}

}  // namespace sallyport::policies
