#include "proxy/egress_record.hpp"

namespace sallyport::proxy {

audit::EgressRequest new_record(Client const& client, audit::Leg leg, AuditPort& audit) {
  audit::EgressRequest record;
  record.id = audit.next_request_id();
  record.leg = leg;
  record.flow = client.flow;
  record.tenant = client.tenant;
  return record;
}

void set_request(audit::EgressRequest& record, policies::Request const& request) {
  record.host = request.host.str();
  record.port = request.port;
  record.method = request.method;
  if (request.path) record.path = request.path->str();
}

audit::EgressRequest allowed(audit::EgressRequest record, policies::Verdict const& verdict,
                             std::span<policies::AllowedEndpoint const> endpoints) {
  record.verdict = "allow";
  record.rule = verdict.rule;
  record.reason = verdict.reason;
  for (auto const& endpoint : endpoints) {
    if (endpoint.address()) record.addresses.push_back(endpoint.address()->to_string());
    if (endpoint.via()) record.via = to_string(*endpoint.via());
    if (!endpoint.address()) record.resolved_by = "upstream";
  }
  return record;
}

audit::EgressRequest denied(audit::EgressRequest record, Refusal const& refusal) {
  record.verdict = "deny";
  record.rule = refusal.verdict.rule;
  record.reason = refusal.verdict.reason;
  record.detail = refusal.verdict.hint;
  record.status = refusal.status;
  return record;
}

}  // namespace sallyport::proxy
