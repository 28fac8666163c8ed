#include "cli/audit_file.hpp"

#include "audit/places.hpp"

#include <utility>

namespace sallyport::cli {

Result<std::unique_ptr<audit::FileSink>> open_audit(std::string const& path, Clock const& clock, audit::Scrub scrub) {
  auto const places = audit::default_places();
  if (!places) return places.error();
  auto const session = audit::new_session_id(clock);
  if (!session) return session.error();
  return audit::FileSink::open({path.empty() ? audit::log_path(places->log_dir, *session) : path, places->key_dir, *session, std::move(scrub)},
                               clock);
}

}  // namespace sallyport::cli
