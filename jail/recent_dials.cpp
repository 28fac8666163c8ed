#include "jail/recent_dials.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::jail {
namespace {

constexpr std::size_t kKept = 256;
constexpr std::chrono::seconds kMaxAge{5};

}  // namespace

void RecentDials::note(Dial dial, audit::Process process, Time now) {
  if (entries_.size() == kKept) entries_.pop_front();
  entries_.push_back({std::move(dial), std::move(process), now});
}

std::optional<audit::Process> RecentDials::find(audit::Flow const& flow, Time now) const {
  Dial const wanted{flow.remote_address, flow.remote_port};
  auto const latest = std::find_if(entries_.rbegin(), entries_.rend(), [&](Entry const& entry) { return entry.dial == wanted; });
  if (latest == entries_.rend() || now - latest->at > kMaxAge) return std::nullopt;
  return latest->process;
}

}  // namespace sallyport::jail
