#pragma once
// A file descriptor with one owner, closed on destruction. It cannot hold a failed open.

#include "base/result.hpp"

#include <cerrno>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace sallyport {

class UniqueFd {
 public:
  /// Takes ownership of `fd`; a negative one becomes Error::os(errno, what).
  static Result<UniqueFd> adopt(int fd, std::string_view what) {
    if (fd < 0) return Error::os(errno, std::string(what));
    return UniqueFd(fd);
  }
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~UniqueFd() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  /// Gives the descriptor away; the caller closes it.
  int release() && { return std::exchange(fd_, -1); }

 private:
  explicit UniqueFd(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace sallyport
