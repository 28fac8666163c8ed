#pragma once
// The gateway's way to the supervisor: where records go, and who tells which process asks. A seam: tests keep the records.

#include "audit/event.hpp"
#include "base/asio.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <string>

namespace sallyport::proxy {

/// The program behind a connection, as far as it is known.
struct Asker {
  std::string executable;  // its path; empty: nobody knows
  std::string script;      // that it runs, if it is an interpreter
};

/// Thread: its worker's.
class AuditPort {
 public:
  virtual ~AuditPort() = default;
  /// A number no other request of this session has.
  virtual std::uint64_t next_request_id() = 0;
  /// Records the verdict of a request and waits until it is in the file. An error means that nothing may go upstream.
  virtual awaitable<Result<void>> record(audit::EgressRequest request) = 0;
  /// The same for a question: the process that asked is found while it still waits for the answer.
  virtual awaitable<Result<void>> record(audit::DnsQuery query) = 0;
  /// Records without waiting; order is kept.
  virtual void post(audit::Event event) = 0;
  /// What runs at the other end of a client's connection. No more is known of it than when it is asked for.
  virtual awaitable<Asker> who_asks(audit::Flow flow) = 0;
  /// Waits until few enough records are unsent that another may be posted. For sources without a limit of their own.
  virtual awaitable<void> wait_for_room() = 0;
};

}  // namespace sallyport::proxy
