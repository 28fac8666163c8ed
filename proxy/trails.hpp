#pragma once
// What each host of a session was told in earlier requests (dlp/trail). Any thread: of two requests that go out at the same time, the
// second is looked at together with the first.

#include "dlp/trail.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

/// Of one host.
class HostTrail {
 public:
  using Values = std::vector<dlp::Trail::Value>;

  /// What `values` show together with those that left before.
  std::vector<dlp::Finding> look(dlp::Scanner::Setup const& setup, Values const& values) const;
  /// The same; `judge` hears it and says whether the values leave. Nothing else leaves in between.
  void leave(dlp::Scanner::Setup const& setup, Values const& values, std::function<bool(std::vector<dlp::Finding>)> const& judge);

 private:
  mutable std::mutex mutex_;
  dlp::Trail trail_;
};

class Trails {
 public:
  static constexpr std::size_t kMaxHosts = 256;  // the one that was first is forgotten

  std::shared_ptr<HostTrail> of(std::string const& host);

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<HostTrail>, std::less<>> trails_;
  std::deque<std::string> hosts_;  // that have one, the oldest first
};

}  // namespace sallyport::proxy
