#include "proxy/splice_pipes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace sallyport::proxy {
namespace {

Moved move_bytes(int from, int to, std::size_t most) {
  for (;;) {
    auto const moved = ::splice(from, nullptr, to, nullptr, most, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
    if (moved > 0) return {Moved::What::bytes, static_cast<std::size_t>(moved), 0};
    if (moved == 0) return {Moved::What::end, 0, 0};
    if (errno == EAGAIN) return {Moved::What::again, 0, 0};
    if (errno != EINTR) return {Moved::What::failed, 0, errno};
  }
}

}  // namespace

Moved SplicePipe::fill_from(int socket) {
  auto const moved = move_bytes(socket, ends_->write.get(), static_cast<std::size_t>(SplicePipes::kBytes));
  pending_ += moved.bytes;
  return moved;
}

Moved SplicePipe::drain_to(int socket) {
  auto const moved = move_bytes(ends_->read.get(), socket, pending_);
  pending_ -= moved.bytes;
  return moved;
}

SplicePipe::~SplicePipe() {
  if (!ends_) return;  // moved from
  home_.give_back(pending_ == 0 ? std::exchange(ends_, std::nullopt) : std::nullopt);
}

std::optional<SplicePipe> SplicePipes::take() {
  if (in_use_ >= kMaxInUse) return std::nullopt;
  if (kept_.empty()) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return std::nullopt;
    auto read = UniqueFd::adopt(ends[0], "pipe"), write = UniqueFd::adopt(ends[1], "pipe");
    if (!read || !write) return std::nullopt;
    static_cast<void>(::fcntl(ends[1], F_SETPIPE_SZ, kBytes));  // a smaller pipe only takes more calls
    kept_.push_back({*std::move(read), *std::move(write)});
  }
  auto ends = std::move(kept_.back());
  kept_.pop_back();
  ++in_use_;
  return SplicePipe(*this, std::move(ends));
}

void SplicePipes::give_back(std::optional<SplicePipe::Ends> ends) {
  --in_use_;
  if (ends && kept_.size() < kMaxKept) kept_.push_back(*std::move(ends));
}

}  // namespace sallyport::proxy
