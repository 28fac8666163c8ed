#pragma once
// What is done about findings: by how sure they are, where they stand, and where the message goes. Pure; any thread.
// Shipped rules; a policy's `dlp.action` and exceptions come on top of them.

#include "dlp/scanner.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sallyport::dlp {

enum class Place { url, header, body, dns };
/// Nothing if `word` names no place.
std::optional<Place> place_of(std::string_view word);

/// Ordered: a later one outranks an earlier one.
enum class Action { allow, alert, redact, block };
std::string_view to_string(Action action);

struct Destination {
  Place place = Place::body;
  std::string host{};  // canonical; empty if unknown
};

/// A vendor's secret may go to the vendor. A look-alike is blocked where people put no tokens for show: in URLs, heads, and
/// names. What is only a guess, or of medium severity, is an alert.
Action judge(Finding const& finding, Destination const& destination);

struct Judged {
  Action action = Action::allow;
  std::optional<Finding> finding;  // the first of those with this action
};
/// The strongest action that any of the findings calls for.
Judged judge_all(std::span<Finding const> findings, Destination const& destination);

/// Scans a message that is in memory. For Place::dns it is a list of names, one a line, whose labels are also read as one
/// text: a secret does not fit into a label of 63 bytes.
std::vector<Finding> scan_at(Scanner::Setup const& setup, std::string_view message, Place place,
                             std::optional<Coding> content_coding = std::nullopt);

}  // namespace sallyport::dlp
