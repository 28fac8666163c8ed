#include "jail/process_facts.hpp"

#include "jail/proc_files.hpp"

namespace sallyport::jail {

std::optional<audit::Process> ProcessFacts::of_process(pid_t pid) const {
  auto const process = ProcDirectory::open(pid);
  if (!process) return std::nullopt;
  return audit::Process{pid, process->exe(), process->argv(), table_.chain_of(pid)};
}

std::optional<audit::Process> ProcessFacts::of_flow(audit::Flow const& flow) {
  auto const pid = owner_.find(flow);
  return pid ? of_process(*pid) : std::nullopt;
}

}  // namespace sallyport::jail
