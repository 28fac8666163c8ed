#pragma once
// A process under the jail's seccomp filter, and its listener. REQUIRES: the test has one thread. Throws when the set-up is
// refused.

#include "base/unique_fd.hpp"
#include "tests/jail/forked.hpp"

#include <functional>
#include <optional>

namespace sallyport::jail {

/// A forked child that runs `body` under the filter. What its filter reports waits in listener().
class Filtered {
 public:
  explicit Filtered(std::function<int()> const& body);

  Child& child() { return child_; }
  UniqueFd& listener() { return *listener_; }
  /// Takes notifications until the process ends; counts them, and refuses each with EPERM.
  int refuse_all();

 private:
  explicit Filtered(std::pair<int, int> ends, std::function<int()> const& body);
  Child child_;
  std::optional<UniqueFd> listener_;
};

}  // namespace sallyport::jail
