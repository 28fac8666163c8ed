#include "jail/command_table.hpp"

namespace sallyport::jail {
namespace {
constexpr int kMaxDepth = 4096;   // forks without exec between two commands
constexpr std::size_t kMaxChain = 64;  // what a record keeps: a longer chain loses its middle
}  // namespace

void CommandTable::executed(pid_t pid, std::uint64_t seq) {
  Chain chain = chain_of(pid);
  if (chain.size() >= kMaxChain) chain.erase(chain.begin() + kMaxChain / 2);
  chain.push_back(seq);
  chains_[pid] = std::move(chain);
}

void CommandTable::forked(pid_t parent, pid_t child) {
  if (auto chain = chain_of(parent); !chain.empty()) chains_[child] = std::move(chain);
}

CommandTable::Chain CommandTable::chain_of(pid_t pid) const {
  std::optional<pid_t> at = pid;
  for (int depth = 0; at && *at > 1 && depth < kMaxDepth; ++depth) {
    if (auto found = chains_.find(*at); found != chains_.end()) return found->second;
    at = parent_of_(*at);
  }
  return {};
}

std::optional<std::uint64_t> CommandTable::last_of(pid_t pid) const {
  Chain const chain = chain_of(pid);
  if (chain.empty()) return std::nullopt;
  return chain.back();
}

}  // namespace sallyport::jail
