#pragma once
// `sallyport dlp allow`: the exception for one finding of an audit log: its host, its detector, its value, until a day. Reads the log; writes
// one policy file, or none.

#include "cli/command.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace sallyport::cli {

struct DlpAllowOptions {
  std::string from;       // an audit log; empty: the newest in the default place
  std::uint64_t seq = 0;  // of the dlp.finding record
  std::string until;      // YYYY-MM-DD; empty: kDefaultException from `today`
  std::string to;         // a policy file, new, or one that ends in its list of exceptions; empty: standard output
};

inline constexpr std::chrono::days kDefaultException{30};

/// Exit status: 0; 2 with the reason on console.err, when nothing was written. A file that is there keeps what is in it.
int allow_finding(Console const& console, DlpAllowOptions const& options, std::chrono::sys_days today);

}  // namespace sallyport::cli
