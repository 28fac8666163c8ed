#pragma once
// Says when policy files may have changed: watches the directories they are in, so that it also sees a file that is
// replaced by rename or through a symbolic link. Source: inotify(7). One thread. Does not read the files and does not say
// which one changed.

#include "base/clock.hpp"
#include "base/result.hpp"
#include "base/unique_fd.hpp"

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sallyport::cli {

class PolicyWatch {
 public:
  static Result<PolicyWatch> make(Clock const& clock);

  /// Watches these files from here on, besides those before.
  void add(std::vector<std::string> const& files);
  /// Readable when something happened: then call note().
  int descriptor() const { return inotify_.get(); }
  void note();
  /// Whether something happened, and a moment has passed in which what belongs to it could happen, too; true once for each
  /// time.
  bool settled();
  /// How long until settled() may say yes; nothing if there is nothing to wait for.
  std::optional<std::chrono::milliseconds> wait() const;

 private:
  PolicyWatch(UniqueFd inotify, Clock const& clock) : inotify_(std::move(inotify)), clock_(&clock) {}

  UniqueFd inotify_;
  Clock const* clock_;
  std::set<std::string> directories_;
  std::optional<std::chrono::steady_clock::time_point> settles_at_;
};

}  // namespace sallyport::cli
