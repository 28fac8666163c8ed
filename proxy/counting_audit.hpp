#pragma once
// Counts every record on its way to the log. All verdicts and ends pass here, so nothing else has to count.
// Thread: its worker's. Lifetime: what it refers to outlives it.

#include "proxy/audit_port.hpp"
#include "proxy/metrics.hpp"

namespace sallyport::proxy {

class CountingAudit final : public AuditPort {
 public:
  CountingAudit(AuditPort& log, Metrics& metrics) : log_(log), metrics_(metrics) {}

  std::uint64_t next_request_id() override { return log_.next_request_id(); }
  /// Measures how long the log takes.
  awaitable<Result<void>> record(audit::EgressRequest request) override;
  awaitable<Result<void>> record(audit::DnsQuery query) override { return log_.record(std::move(query)); }
  awaitable<Asker> who_asks(audit::Flow flow) override { return log_.who_asks(std::move(flow)); }
  void post(audit::Event event) override;
  awaitable<void> wait_for_room() override { return log_.wait_for_room(); }

 private:
  AuditPort& log_;
  Metrics& metrics_;
};

}  // namespace sallyport::proxy
