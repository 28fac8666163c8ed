#pragma once
// Credentials that change while a session runs: the gateway gets their new values. A file is read again when it has changed, a command is
// run again as often as the policy says. One thread, the supervisor's, which never waits here. A variable cannot change from outside.

#include "base/clock.hpp"
#include "base/result.hpp"
#include "cli/command_output.hpp"
#include "dlp/digest.hpp"
#include "policies/policy.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace sallyport::cli {

class CredentialRefresh {
 public:
  /// Those of `policy` that may change. Make it before their values are read: what changes afterwards is seen. `clock` outlives it.
  CredentialRefresh(policies::Policy const& policy, Clock const& clock);

  /// Takes a credential's new value, which is wiped afterwards.
  using HandOver = std::function<Result<void>(std::string const& name, std::string_view value)>;
  /// Hands over what has changed since the last call. Returns a line for each credential that has no usable value now; the gateway goes on
  /// with the one of before.
  std::vector<std::string> look(HandOver const& hand_over);

 private:
  /// By which a file that was written or replaced is known.
  struct Stamp {
    ino_t inode = 0;
    std::int64_t size = 0;
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;
    bool operator==(Stamp const&) const = default;
  };
  struct WatchedFile {
    policies::Credential credential;
    std::optional<Stamp> stamp;  // nothing: it was not there
  };
  struct RepeatedCommand {
    policies::Credential credential;
    policies::FromCommand from;
    std::chrono::steady_clock::time_point next;
    std::optional<RunningCommand> running = std::nullopt;
    std::optional<dlp::Sha256> last = std::nullopt;  // of the value that was handed over
  };
  static std::optional<Stamp> stamp_of(policies::Credential const& credential);
  /// The new text of the source, if there is one now.
  std::optional<Result<std::string>> news(WatchedFile& file) const;
  std::optional<Result<std::string>> news(RepeatedCommand& command) const;

  Clock const* clock_;
  std::vector<WatchedFile> files_;
  std::list<RepeatedCommand> commands_;
};

}  // namespace sallyport::cli
