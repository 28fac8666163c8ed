#pragma once
// The supervisor's loop where it has started no command: writes down what the gateway decides until somebody ends the session. One thread.

#include "audit/file_sink.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"
#include "jail/gateway_link.hpp"

#include <functional>
#include <optional>
#include <string>

namespace sallyport::cli {

/// SIGTERM and SIGINT from here on: blocked, and readable from the descriptor.
Result<UniqueFd> termination_descriptor();

/// What else is to be taken while the session is served.
struct Watched {
  int descriptor;
  std::function<Result<void>()> take;  // when it is readable, and before the gateway's records
};

struct ServeParts {
  jail::GatewayLink& link;
  audit::FileSink& sink;
  Clock const& clock;
  jail::IdentifyProcess identify;
  int signals;             // of termination_descriptor()
  std::optional<int> life; // readable when what is served has ended: a pidfd
  std::optional<Watched> watched{};
  std::function<void()> each_second{};  // what else is to be looked after, at most that often
};
/// Why it ended: "stopped" by a signal, "container_ended", "gateway_lost". Asks the gateway to end and takes its last records.
/// An error means that the audit log could not be written.
Result<std::string> serve(ServeParts parts);

}  // namespace sallyport::cli
