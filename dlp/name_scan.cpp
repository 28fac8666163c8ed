#include "dlp/name_scan.hpp"

#include "dlp/byte_set.hpp"
#include "dlp/joined_scan.hpp"

#include <algorithm>
#include <string>

namespace sallyport::dlp {
namespace {

constexpr std::size_t kShortestInName = 8;  // bytes of a secret
constexpr std::size_t kMaxName = 255;  // RFC 1035 section 2.3.4

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

}  // namespace

void scan_name(Scanner::Setup const& setup, std::string_view name, std::uint64_t offset, std::vector<Finding>& findings) {
  for (auto const& text : joined_labels(name)) {
    for (auto& finding : scan_message(setup, text)) {
      finding.offset = offset;
      finding.length = name.size();
      add_new(std::move(finding), findings);
    }
  }
}

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
  if (message.ends_with('\n')) message.remove_suffix(1);
  return message.size() <= kMaxName && kName.run(message) == message.size() ? message : std::string_view();
}

}  // namespace sallyport::dlp
