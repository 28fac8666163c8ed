#include "proxy/head_redaction.hpp"

#include "base/check.hpp"

#include <utility>

namespace sallyport::proxy {
namespace {

void overwrite(std::string& text, std::size_t from, HeadReplacement const& replacement) {
  for (auto at = text.find(replacement.was, from); at != std::string::npos; at = text.find(replacement.was, at)) {
    text.replace(at, replacement.was.size(), replacement.text);
    at += replacement.text.size();
  }
}

}  // namespace

void redact(RequestHead& head, HttpTarget& target, std::vector<HeadReplacement> const& replacements) {
  std::string path = target.path.str();
  auto const query = path.find('?');
  for (auto const& each : replacements) {
    check(!each.was.empty(), "what is overwritten is there");
    for (auto& field : head.fields) overwrite(field.value, 0, each);
    if (query != std::string::npos) overwrite(path, query, each);
  }
  auto redacted = policies::CanonicalPath::from(path);
  check(redacted.has_value(), "letters, digits and '-' in the place of others leave a path");
  target.path = *std::move(redacted);
}

}  // namespace sallyport::proxy
