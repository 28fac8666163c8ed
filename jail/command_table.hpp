#pragma once
// Which command.exec records led to which running process. One thread; no system calls.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <sys/types.h>
#include <vector>

namespace sallyport::jail {

/// pid -> chain of seq numbers, outermost first. Entries live as long as the process.
class CommandTable {
 public:
  using Chain = std::vector<std::uint64_t>;
  /// Parent of a process, as /proc tells; nothing when it is gone.
  using ParentOf = std::function<std::optional<pid_t>(pid_t)>;

  explicit CommandTable(ParentOf parent_of) : parent_of_(std::move(parent_of)) {}

  /// `pid` executed a command whose record is `seq`. A second exec of one process follows from its first.
  void executed(pid_t pid, std::uint64_t seq);
  /// `child` goes on with the chain of `parent`, also when that ends.
  void forked(pid_t parent, pid_t child);
  void ended(pid_t pid) { chains_.erase(pid); }
  /// Chain of the nearest of `pid` and its ancestors that executed something.
  Chain chain_of(pid_t pid) const;
  /// Last seq of that chain.
  std::optional<std::uint64_t> last_of(pid_t pid) const;

 private:
  ParentOf parent_of_;
  std::map<pid_t, Chain> chains_;
};

}  // namespace sallyport::jail
