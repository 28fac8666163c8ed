#include "cli/credential_refresh.hpp"

#include "base/wipe.hpp"
#include "cli/credentials.hpp"

#include <sys/stat.h>

#include <utility>
#include <variant>

namespace sallyport::cli {

CredentialRefresh::CredentialRefresh(policies::Policy const& policy) {
  for (auto const& credential : policy.credentials) {
    if (std::holds_alternative<policies::FromFile>(credential.from)) watched_.push_back({credential, stamp_of(credential)});
  }
}

std::optional<CredentialRefresh::Stamp> CredentialRefresh::stamp_of(policies::Credential const& credential) {
  struct stat status {};
  if (::stat(std::get<policies::FromFile>(credential.from).path.c_str(), &status) < 0) return std::nullopt;
  return Stamp{status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

std::vector<std::string> CredentialRefresh::look(HandOver const& hand_over) {
  std::vector<std::string> lines;
  for (auto& watched : watched_) {
    auto const now = stamp_of(watched.credential);
    if (now == std::exchange(watched.stamp, now)) continue;
    auto value = read_value(watched.credential, {});
    auto const given = value ? hand_over(watched.credential.name, *value) : Result<void>(value.error());
    if (value) wipe(*value);
    if (!given) lines.push_back(given.error().what + "; the value of before is used");
  }
  return lines;
}

}  // namespace sallyport::cli
