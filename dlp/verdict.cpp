#include "dlp/verdict.hpp"

#include "dlp/joined_scan.hpp"
#include "dlp/limits.hpp"
#include "dlp/name_scan.hpp"

#include <algorithm>

namespace sallyport::dlp {
namespace {

bool is_below(std::string_view host, std::string_view domain) {
  return host == domain ||
         (host.size() > domain.size() && host.ends_with(domain) && host[host.size() - domain.size() - 1] == '.');
}

}  // namespace

std::optional<Place> place_of(std::string_view word) {
  if (word == "url") return Place::url;
  if (word == "header") return Place::header;
  if (word == "body") return Place::body;
  if (word == "dns") return Place::dns;
  return std::nullopt;
}

std::string_view to_string(Action action) {
  switch (action) {
    case Action::allow:
      return "allow";
    case Action::alert:
      return "alert";
    case Action::redact:
      return "redact";
    case Action::block:
      return "block";
  }
  return "block";
}

Action judge(Finding const& finding, Destination const& destination) {
  auto own = [&](std::string_view host) { return is_below(destination.host, host); };
  if (std::any_of(finding.hosts.begin(), finding.hosts.end(), own)) return Action::allow;
  if (finding.certainty == Certainty::guess || finding.severity < Severity::high) return Action::alert;
  bool body = destination.place == Place::body;
  return finding.certainty == Certainty::look_alike && body ? Action::alert : Action::block;
}

Judged judge_all(std::span<Finding const> findings, Destination const& destination) {
  Judged worst;
  for (auto const& finding : findings) {
    auto action = judge(finding, destination);
    if (!worst.finding || action > worst.action) worst = {action, finding};
  }
  return worst;
}

std::vector<Finding> scan_at(Scanner::Setup const& setup, std::string_view message, Place place,
                             std::optional<Coding> content_coding) {
  auto findings = scan_message(setup, message, content_coding);
  if (place != Place::dns) {
    if (message.size() <= kMaxJoined) scan_joined(setup, message, findings);
    return findings;
  }
  for (std::size_t at = 0; at < message.size();) {
    auto end = std::min(message.find('\n', at), message.size());
    scan_name(setup, message.substr(at, end - at), at, findings);
    at = end + 1;
  }
  return findings;
}

}  // namespace sallyport::dlp
