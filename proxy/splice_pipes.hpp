#pragma once
// Pipes of the kernel, through which bytes go from one socket to another without being copied into this process.
// Thread: its worker's. Sources: splice(2), pipe(7), F_SETPIPE_SZ in fcntl(2).
// Does not wait: whoever moves bytes waits for the sockets. A socket that is gone raises SIGPIPE: the process ignores it.

#include "base/unique_fd.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sallyport::proxy {

class SplicePipes;

/// What a move of bytes did. `again`: the socket is not ready. `failed`: `error` is the errno.
struct Moved {
  enum class What { bytes, end, again, failed } what = What::failed;
  std::size_t bytes = 0;
  int error = 0;
};

/// A pipe in use, empty at first. An empty one goes back to where it came from, one with bytes in it is closed.
class SplicePipe {
 public:
  SplicePipe(SplicePipe&& other) noexcept
      : home_(other.home_), ends_(std::exchange(other.ends_, std::nullopt)), pending_(std::exchange(other.pending_, 0)) {}
  SplicePipe& operator=(SplicePipe&&) = delete;
  SplicePipe(SplicePipe const&) = delete;
  ~SplicePipe();

  /// As much from `socket` as there is and fits.
  Moved fill_from(int socket);
  /// As much to `socket` as it takes.
  Moved drain_to(int socket);
  std::size_t pending() const { return pending_; }

 private:
  friend class SplicePipes;
  struct Ends {
    UniqueFd read;
    UniqueFd write;
  };
  SplicePipe(SplicePipes& home, Ends ends) : home_(home), ends_(std::move(ends)) {}

  SplicePipes& home_;
  std::optional<Ends> ends_;
  std::size_t pending_ = 0;
};

/// Lifetime: outlives the pipes it lends.
class SplicePipes {
 public:
  SplicePipes() = default;
  SplicePipes(SplicePipes const&) = delete;
  SplicePipes& operator=(SplicePipes const&) = delete;

  /// Nothing when kMaxInUse are lent, or the process may have no more descriptors: then bytes are copied.
  std::optional<SplicePipe> take();
  std::size_t in_use() const { return in_use_; }

  /// For what is too little for a pipe. Everybody's: what is in it is gone once its user waits.
  std::span<char> block() { return block_; }

  static constexpr std::size_t kMaxInUse = 64;
  static constexpr int kBytes = 512 * 1024;  // asked for; the kernel gives less to a user who has many
  static constexpr std::size_t kMaxKept = 8;
  static constexpr std::size_t kBlockBytes = 16384;

 private:
  friend class SplicePipe;
  void give_back(std::optional<SplicePipe::Ends> ends);

  std::vector<SplicePipe::Ends> kept_;
  std::size_t in_use_ = 0;
  std::array<char, kBlockBytes> block_;  // each part is written before it is read
};

}  // namespace sallyport::proxy
