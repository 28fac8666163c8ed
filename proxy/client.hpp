#pragma once
// One accepted connection, and what its sessions work with.

#include "audit/event.hpp"
#include "policies/engine.hpp"
#include "proxy/audit_port.hpp"
#include "proxy/broker.hpp"
#include "proxy/dialer.hpp"
#include "proxy/inspection.hpp"
#include "proxy/live_requests.hpp"
#include "proxy/resolver.hpp"
#include "proxy/rule_budget.hpp"
#include "proxy/splice_pipes.hpp"
#include "proxy/stream.hpp"
#include "proxy/synthetic_names.hpp"
#include "proxy/task_set.hpp"
#include "proxy/timeouts.hpp"
#include "proxy/tls.hpp"
#include "proxy/upstream_hop.hpp"

namespace sallyport::proxy {

struct Client {
  Stream stream;
  audit::Flow flow;  // by which the supervisor finds the process
  std::string tenant = {};  // whose policy decides; empty: the session's
};

/// Lifetime: all outlive the sessions.
struct SessionDeps {
  policies::Engine const& engine;
  Resolver& resolver;
  Dialer const& dialer;
  UpstreamHop& hop;
  AuditPort& audit;
  SyntheticNames const& names;
  Tls& tls;
  Inspection& inspection;
  Broker const& broker;
  LiveRequests& live;
  TaskSet& streams;  // of HTTP/2 connections
  RuleBudget& budget;
  SplicePipes& pipes;
  Timeouts const& timeouts;
};

/// What runs at the client's end, if a rule wants to know.
inline awaitable<Asker> asker_of(Client const& client, SessionDeps const& deps) {
  if (!deps.engine.reads_process()) co_return Asker{};
  co_return co_await deps.audit.who_asks(client.flow);
}

}  // namespace sallyport::proxy
