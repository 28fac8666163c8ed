#include "proxy/counting_audit.hpp"

#include <chrono>
#include <utility>

namespace sallyport::proxy {

awaitable<Result<void>> CountingAudit::record(audit::EgressRequest request) {
  metrics_.count(request);
  auto const began = std::chrono::steady_clock::now();
  auto written = co_await log_.record(std::move(request));
  metrics_.audit_written(std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - began));
  co_return written;
}

void CountingAudit::post(audit::Event event) {
  metrics_.count(event);
  log_.post(std::move(event));
}

}  // namespace sallyport::proxy
