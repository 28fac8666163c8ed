#include "policies/yaml_dlp.hpp"

#include "policies/host_pattern.hpp"
#include "policies/quote.hpp"
#include "policies/yaml_map.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

namespace sallyport::policies {

namespace {

/// A list of `words`, each of which is the value at the same index, or `off` for none.
template <class Value, std::size_t kCount>
std::vector<Value> read_values(YamlNode const& node, std::string_view key, std::string_view const (&words)[kCount],
                               Value const (&values)[kCount], Problems& problems) {
  std::vector<Value> read;
  if (node.kind == YamlNode::Kind::scalar && node.text == "off") return read;
  for (auto const* item : read_list(node, key, problems)) {
    auto const word = read_word(*item, key, words, problems);
    if (word) read.push_back(values[*word]);
  }
  return read;
}

std::vector<KnownSource> read_known_values(YamlNode const& node, Problems& problems) {
  return read_values(node, "known_values", {"env", "dotenv"}, {KnownSource::env, KnownSource::dotenv}, problems);
}

std::vector<CanaryPlace> read_canaries(YamlNode const& node, Problems& problems) {
  return read_values(node, "canaries", {"env", "files"}, {CanaryPlace::env, CanaryPlace::files}, problems);
}

void read_detectors(YamlNode const& node, DlpSection& section, Problems& problems) {
  YamlMap const map(node, Section::detectors, problems);
  if (auto const* value = map.find("disable")) {
    for (auto const* item : read_list(*value, "disable", problems)) section.disabled.push_back({item->text, item->place});
  }
  if (auto const* value = map.find("import")) {
    for (auto const* item : read_list(*value, "import", problems)) section.imports.push_back({item->text, {}, item->place});
  }
}

std::string read_exception_host(YamlNode const& node, Problems& problems) {
  auto const text = read_text(node, "host", problems);
  if (!text) return {};
  auto const pattern = HostPattern::parse(*text);
  if (!pattern) {
    problems.push_back({node.place, pattern.error().what});
    return {};
  }
  if (pattern->kind == HostPattern::Kind::any) {
    problems.push_back(
        {node.place, "an exception for every host is none; write detectors: {disable: [...]} to switch a detector off"});
  }
  return pattern->to_string();
}

std::string read_until(YamlNode const& node, Problems& problems) {
  auto const text = read_text(node, "until", problems).value_or("");
  if (!is_day(text)) problems.push_back({node.place, in_quotes(text) + " is not a day; write it as in 2027-01-31"});
  return text;
}

std::string read_digest(YamlNode const& node, Problems& problems) {
  constexpr std::size_t kDigits = 32;
  auto const text = read_text(node, "digest", problems).value_or("");
  bool const is_hex = text.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (text.size() != kDigits || !is_hex) problems.push_back({node.place, in_quotes(text) + " is no digest; take it from a dlp.finding record, as sallyport dlp allow does"});
  return text;
}

DlpException read_exception(YamlNode const& node, Problems& problems) {
  YamlMap const map(node, Section::dlp_exception, problems);
  DlpException exception;
  exception.place = node.place;
  if (node.kind != YamlNode::Kind::map) return exception;
  if (auto const* value = map.find("host")) exception.host = read_exception_host(*value, problems);
  if (auto const* value = map.find("detector")) exception.detector = read_text(*value, "detector", problems).value_or("");
  if (auto const* value = map.find("digest")) exception.digest = read_digest(*value, problems);
  if (auto const* value = map.find("until")) exception.until = read_until(*value, problems);
  for (auto const key : {"host", "detector"}) {
    if (map.find(key) == nullptr) {
      problems.push_back(
          {node.place, "an exception has a host and a detector, as in {host: api.example.com, detector: jwt}"});
      break;
    }
  }
  return exception;
}

std::vector<DlpException> read_exceptions(YamlNode const& node, Problems& problems) {
  std::vector<DlpException> exceptions;
  if (node.kind != YamlNode::Kind::sequence) {
    problems.push_back({node.place, "'allow' must be a list of exceptions, each beginning with '-'"});
    return exceptions;
  }
  for (auto const& item : node.items) exceptions.push_back(read_exception(item, problems));
  return exceptions;
}

std::optional<int> number(std::string_view digits) {
  int value = 0;
  auto const [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failed != std::errc() || end != digits.data() + digits.size() || digits.front() == '-') return std::nullopt;
  return value;
}

}  // namespace

bool is_day(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  auto const year = number(text.substr(0, 4)), month = number(text.substr(5, 2)), day = number(text.substr(8, 2));
  if (!year || !month || !day) return false;
  using namespace std::chrono;
  return year_month_day(std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                        std::chrono::day(static_cast<unsigned>(*day)))
      .ok();
}

std::optional<DlpAction> read_dlp_action(YamlNode const& node, std::string_view key, Problems& problems) {
  constexpr std::string_view kWords[] = {"off", "alert", "redact", "block"};
  constexpr DlpAction kActions[] = {DlpAction::off, DlpAction::alert, DlpAction::redact, DlpAction::block};
  auto const word = read_word(node, key, kWords, problems);
  return word ? std::optional(kActions[*word]) : std::nullopt;
}

DlpSection read_dlp(YamlNode const& node, Problems& problems) {
  YamlMap const map(node, Section::dlp, problems);
  DlpSection section;
  if (node.kind != YamlNode::Kind::map) return section;
  if (auto const* value = map.find("action")) section.action = read_dlp_action(*value, "action", problems);
  if (auto const* value = map.find("known_values")) section.known_values = read_known_values(*value, problems);
  if (auto const* value = map.find("canaries")) section.canaries = read_canaries(*value, problems);
  if (auto const* value = map.find("responses")) section.responses = read_switch(*value, "responses", problems);
  if (auto const* value = map.find("detectors")) read_detectors(*value, section, problems);
  if (auto const* value = map.find("allow")) section.allow = read_exceptions(*value, problems);
  return section;
}

}  // namespace sallyport::policies
