#pragma once
// Credentials whose files change while a session runs: the gateway gets their new values. One thread, the supervisor's.
// Looks at files only: a variable cannot change from outside, and a command is run once.

#include "base/result.hpp"
#include "policies/policy.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace sallyport::cli {

class CredentialRefresh {
 public:
  /// Those of `policy` that come from files. Make it before their values are read: what changes afterwards is seen.
  explicit CredentialRefresh(policies::Policy const& policy);

  /// Takes a credential's new value, which is wiped afterwards.
  using HandOver = std::function<Result<void>(std::string const& name, std::string_view value)>;
  /// Hands over what has changed since the last call. Returns a line for each file that has no usable value now; the gateway goes on with the
  /// one of before.
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
  struct Watched {
    policies::Credential credential;
    std::optional<Stamp> stamp;  // nothing: it was not there
  };
  static std::optional<Stamp> stamp_of(policies::Credential const& credential);

  std::vector<Watched> watched_;
};

}  // namespace sallyport::cli
