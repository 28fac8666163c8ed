#include "jail/process_facts.hpp"

#include "jail/proc_files.hpp"

#include <utility>

namespace sallyport::jail {

std::optional<audit::Process> ProcessFacts::of_process(pid_t pid) const {
  auto const process = ProcDirectory::open(pid);
  if (!process) return std::nullopt;
  return audit::Process{pid, process->exe(), process->argv(), table_.chain_of(pid)};
}

/// A process that is ending has lost its program's name; what was noted when it dialled still has it.
std::optional<audit::Process> ProcessFacts::of_flow(audit::Flow const& flow) {
  auto const pid = owner_.find(flow);
  auto owner = pid ? of_process(*pid) : std::nullopt;
  if (owner && !owner->exe.empty()) return owner;
  auto noted = dials_.find(flow, clock_.now());
  return noted ? noted : owner;
}

void ProcessFacts::note_dial(pid_t pid, Dial dial) {
  if (auto process = of_process(pid)) dials_.note(std::move(dial), *std::move(process), clock_.now());
}

}  // namespace sallyport::jail
