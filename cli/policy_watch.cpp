#include "cli/policy_watch.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

namespace sallyport::cli {
namespace {

constexpr std::chrono::milliseconds kQuiet{200};  // an editor or a deployment writes several times in a row
constexpr std::uint32_t kChanges = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE;

}  // namespace

Result<PolicyWatch> PolicyWatch::make(Clock const& clock) {
  auto inotify = UniqueFd::adopt(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK), "inotify");
  if (!inotify) return inotify.error();
  return PolicyWatch(*std::move(inotify), clock);
}

/// A directory that cannot be watched is not: a signal still reloads.
void PolicyWatch::add(std::vector<std::string> const& files) {
  for (auto const& file : files) {
    auto const parent = std::filesystem::path(file).parent_path();
    auto const directory = parent.empty() ? std::string(".") : parent.string();
    if (directories_.insert(directory).second) ::inotify_add_watch(inotify_.get(), directory.c_str(), kChanges);
  }
}

void PolicyWatch::note() {
  alignas(inotify_event) std::array<char, 4096> events;
  while (::read(inotify_.get(), events.data(), events.size()) > 0) continue;
  if (!settles_at_) settles_at_ = clock_->now() + kQuiet;  // not put off: a busy directory would never settle
}

bool PolicyWatch::settled() {
  if (!settles_at_ || clock_->now() < *settles_at_) return false;
  settles_at_.reset();
  return true;
}

std::optional<std::chrono::milliseconds> PolicyWatch::wait() const {
  if (!settles_at_) return std::nullopt;
  auto const left = std::chrono::ceil<std::chrono::milliseconds>(*settles_at_ - clock_->now());
  return std::max(left, std::chrono::milliseconds(0));
}

}  // namespace sallyport::cli
