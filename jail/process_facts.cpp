#include "jail/process_facts.hpp"

#include "jail/proc_files.hpp"

#include <utility>

namespace sallyport::jail {

std::optional<audit::Process> ProcessFacts::of_process(pid_t pid) const {
  auto const process = ProcDirectory::open(pid);
  if (!process) return std::nullopt;
  return audit::Process{pid, process->exe(), process->argv(), table_.chain_of(pid)};
}

std::optional<audit::Process> ProcessFacts::of_flow(audit::Flow const& flow) {
  if (auto const pid = owner_.find(flow)) return of_process(*pid);
  return dials_.find(flow, clock_.now());
}

void ProcessFacts::note_dial(pid_t pid, Dial dial) {
  if (auto process = of_process(pid)) dials_.note(std::move(dial), *std::move(process), clock_.now());
}

}  // namespace sallyport::jail
