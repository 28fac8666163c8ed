#include "dlp/verdict.hpp"

#include "dlp/byte_set.hpp"
#include "dlp/joined_scan.hpp"
#include "dlp/limits.hpp"

#include <algorithm>

namespace sallyport::dlp {
namespace {

constexpr std::size_t kShortestInName = 8;  // bytes of a secret
constexpr std::size_t kMaxName = 255;  // RFC 1035 section 2.3.4

bool is_below(std::string_view host, std::string_view domain) {
  return host == domain ||
         (host.size() > domain.size() && host.ends_with(domain) && host[host.size() - domain.size() - 1] == '.');
}

/// "0-6768.1-705f": labels that say which part they are, without that. The name itself if one of them does not.
std::string without_numbers(std::string_view name) {
  std::string parts;
  for (std::size_t at = 0; at <= name.size();) {
    auto const label = name.substr(at, name.find('.', at) - at);
    auto const digits = kDigits.run(label);
    if (digits == 0 || digits > 3 || digits + 1 >= label.size() || label[digits] != '-') return std::string(name);
    parts += label.substr(digits + 1);
    at += label.size() + 1;
  }
  return parts;
}

/// The labels of a name as one text. A secret is in front of the domain that receives it, whose own labels are cut off one
/// after another because nobody says where it begins.
std::vector<std::string> joined_labels(std::string_view name) {
  std::vector<std::string> texts;
  for (int labels = 0; labels < 4; ++labels) {
    auto dot = name.rfind('.');
    if (dot == std::string_view::npos) break;
    name = name.substr(0, dot);
    auto text = without_numbers(name);
    std::erase(text, '.');
    if (text.size() >= kShortestInName && text.size() < name.size()) texts.push_back(std::move(text));
  }
  return texts;
}

void scan_name(Scanner::Setup const& setup, std::string_view name, std::uint64_t offset, std::vector<Finding>& findings) {
  for (auto const& text : joined_labels(name)) {
    for (auto& finding : scan_message(setup, text)) {
      finding.offset = offset;
      finding.length = name.size();
      auto same = [&](Finding const& f) { return f.detector == finding.detector && f.digest == finding.digest; };
      if (std::none_of(findings.begin(), findings.end(), same)) findings.push_back(std::move(finding));
    }
  }
}

/// The host of a URL, of a request's head, or a text that is nothing but a name; empty if there is none.
std::string_view name_in(std::string_view message) {
  constexpr ByteSet kName = ByteSet::of("A-Za-z0-9._-"), kScheme = ByteSet::of("A-Za-z0-9+.-");
  auto const scheme = kScheme.run(message.substr(0, 16));
  if (message.substr(scheme).starts_with("://")) {
    auto const authority = message.substr(scheme + 3, message.find_first_of("/?#", scheme + 3) - scheme - 3);
    auto const host = authority.substr(authority.rfind('@') + 1);  // npos + 1 is 0
    return host.substr(0, kName.run(host));
  }
  auto const field = message.find("\nHost: ");
  if (field != std::string_view::npos && field < message.find("\r\n\r\n")) {
    auto const host = message.substr(field + 7);
    return host.substr(0, kName.run(host.substr(0, kMaxName)));
  }
  return message.size() <= kMaxName && kName.run(message) == message.size() ? message : std::string_view();
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
    if (message.size() > kMaxJoined) return findings;
    scan_joined(setup, message, findings);
    auto const name = name_in(message);
    if (!name.empty()) scan_name(setup, name, static_cast<std::uint64_t>(name.data() - message.data()), findings);
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
