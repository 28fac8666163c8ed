#pragma once
// Measures how long the inspection of messages takes, for the metrics. Changes nothing of what it finds. Thread: its worker's.

#include "proxy/inspection.hpp"
#include "proxy/metrics.hpp"

#include <vector>

namespace sallyport::proxy {

/// Lifetime: both outlive it and the bodies it gives out.
class TimedInspection final : public Inspection {
 public:
  TimedInspection(Inspection& inner, Metrics& metrics) : inner_(inner), metrics_(metrics) {}

  bool reads_response(InspectedMessage const& message) const override { return inner_.reads_response(message); }
  Attempt<std::vector<HeadReplacement>> inspect_head(InspectedMessage const& message, std::string_view head) override;
  /// A body counts once, when it is gone, with the time of all its pieces.
  Attempt<std::unique_ptr<BodyInspector>> inspect_body(InspectedMessage const& message, BodyForm form) override;

 private:
  Inspection& inner_;
  Metrics& metrics_;
};

}  // namespace sallyport::proxy
