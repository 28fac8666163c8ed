#include "cli/credential_refresh.hpp"

#include "base/limits.hpp"
#include "base/wipe.hpp"
#include "cli/credentials.hpp"

#include <sys/stat.h>

#include <utility>
#include <variant>

namespace sallyport::cli {
namespace {

/// A line for people if `value` cannot be used.
void give(policies::Credential const& credential, Result<std::string> value, CredentialRefresh::HandOver const& hand_over, std::vector<std::string>& lines) {
  auto const given = value ? hand_over(credential.name, *value) : Result<void>(value.error());
  if (value) wipe(*value);
  if (!given) lines.push_back(given.error().what + "; the value of before is used");
}

}  // namespace

CredentialRefresh::CredentialRefresh(policies::Policy const& policy, Clock const& clock) : clock_(&clock) {
  for (auto const& credential : policy.credentials) {
    if (std::holds_alternative<policies::FromFile>(credential.from)) files_.push_back({credential, stamp_of(credential)});
    auto const* command = std::get_if<policies::FromCommand>(&credential.from);
    if (command != nullptr && command->every) commands_.push_back({credential, *command, clock.now() + *command->every});
  }
}

std::optional<CredentialRefresh::Stamp> CredentialRefresh::stamp_of(policies::Credential const& credential) {
  struct stat status {};
  if (::stat(std::get<policies::FromFile>(credential.from).path.c_str(), &status) < 0) return std::nullopt;
  return Stamp{status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

std::optional<Result<std::string>> CredentialRefresh::news(WatchedFile& file) const {
  auto const now = stamp_of(file.credential);
  if (now == std::exchange(file.stamp, now)) return std::nullopt;
  return read_value(file.credential, {});
}

std::optional<Result<std::string>> CredentialRefresh::news(RepeatedCommand& command) const {
  if (!command.running) {
    if (clock_->now() < command.next) return std::nullopt;
    command.next = clock_->now() + *command.from.every;
    auto started = RunningCommand::start(command.from.argv, kMaxCredentialText);
    if (!started) return usable_value(command.credential, started.error());
    command.running.emplace(*std::move(started));
  }
  auto output = command.running->poll();
  if (!output) return std::nullopt;
  command.running.reset();
  auto value = usable_value(command.credential, *std::move(output));
  if (!value) return value;
  auto const digest = dlp::sha256(*value);
  bool const is_new = digest != std::exchange(command.last, digest);
  if (is_new) return value;
  wipe(*value);
  return std::nullopt;
}

std::vector<std::string> CredentialRefresh::look(HandOver const& hand_over) {
  std::vector<std::string> lines;
  for (auto& file : files_) {
    if (auto value = news(file)) give(file.credential, *std::move(value), hand_over, lines);
  }
  for (auto& command : commands_) {
    if (auto value = news(command)) give(command.credential, *std::move(value), hand_over, lines);
  }
  return lines;
}

}  // namespace sallyport::cli
