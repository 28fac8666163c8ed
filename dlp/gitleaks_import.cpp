#include "dlp/gitleaks_import.hpp"

#include "dlp/gitleaks_file.hpp"
#include "dlp/limits.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <utility>

namespace sallyport::dlp {
namespace {

constexpr std::size_t kMinKeyword = 3;
constexpr ByteSet kAnyByte = ByteSet::of("\x01-\xff");

/// Whether a '(' opens a group that captures: "(", "(?P<name>" and "(?<name>" do, "(?:" and flags do not.
bool captures(std::string_view behind) {
  if (!behind.starts_with('?')) return true;
  return behind.starts_with("?P<") ||
         (behind.starts_with("?<") && !behind.starts_with("?<=") && !behind.starts_with("?<!"));
}

/// The regex with group `wanted` as its only capturing one; 0: the first. The whole is one if there is no such group.
std::string with_one_group(std::string_view regex, int wanted) {
  std::string out;
  bool in_class = false;
  int group = 0;
  for (std::size_t at = 0; at < regex.size(); ++at) {
    char const c = regex[at];
    out += c;
    if (c == '\\' && at + 1 < regex.size()) {
      out += regex[++at];
      continue;
    }
    if (in_class) {
      in_class = c != ']';
      continue;
    }
    in_class = c == '[';
    if (in_class && at + 1 < regex.size() && (regex[at + 1] == ']' || regex.substr(at + 1).starts_with("^]"))) {
      auto const length = regex[at + 1] == '^' ? 2u : 1u;  // a ']' that comes first is one of the class
      out += regex.substr(at + 1, length);
      at += length;
    }
    if (c != '(' || !captures(regex.substr(at + 1))) continue;
    if (++group == std::max(wanted, 1)) continue;
    if (regex[at + 1] == '?') at = regex.find('>', at);  // a name
    out += "?:";
  }
  return group < std::max(wanted, 1) ? "(" + out + ")" : out;
}

bool is_ours(std::string_view id) {
  auto const detectors = builtin_detectors();
  return std::any_of(detectors.begin(), detectors.end(), [&](Detector const& each) { return each.id == id; });
}

class Import {
 public:
  explicit Import(std::string_view name) : name_(name) {}

  void take(GitleaksFile const& file) {
    if (file.extends) note(1, "[extend]", "other configurations are not read; import them, too");
    Screen common;
    for (auto const& list : file.allowlists) add(list, "the global allowlist", common);
    for (auto const& rule : file.rules) take(rule, common);
  }

  ImportedDetectors take_result() { return std::move(imported_); }

 private:
  void note(int line, std::string_view what, std::string_view why) {
    imported_.not_imported.push_back(name_ + ":" + std::to_string(line) + ": " + std::string(what) + ": " +
                                     std::string(why));
  }
  std::string_view keep(std::string text) { return imported_.texts.emplace_back(std::move(text)); }

  void add(GitleaksAllowlist const& list, std::string_view of, Screen& screen) {
    if (list.needs_all || (list.has_paths && list.regexes.empty() && list.stopwords.empty())) {
      return note(list.line, of, "allowlist left out: it depends on paths, commits, or several conditions at once");
    }
    if (list.has_paths) note(list.line, of, "paths and commits of the allowlist left out: a message has none");
    screen.stopwords.insert(screen.stopwords.end(), list.stopwords.begin(), list.stopwords.end());
    bool const of_secret = list.regex_target.empty() || list.regex_target == "secret";
    if (!of_secret && !list.regexes.empty())
      note(list.line, of, "regexes of the allowlist left out: only those of the secret are tested");
    for (auto const& regex : of_secret ? list.regexes : std::vector<std::string>()) {
      if (auto const wrong = complaint(regex); !wrong.empty())
        note(list.line, of, "regex of the allowlist left out: " + wrong);
      else
        screen.allowed.push_back(regex);
    }
  }

  /// Why RE2 cannot have this pattern, or should not; empty if it may.
  std::string complaint(std::string const& pattern) const {
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(kPatternMemory);
    re2::RE2 const compiled(pattern, options);
    if (!compiled.ok()) return compiled.error();
    return compiled.ProgramSize() > kMaxImportedProgram ? "the pattern is too costly" : std::string();
  }

  void take(GitleaksRule const& rule, Screen screen) {
    if (rule.id.empty()) return note(rule.line, "a rule", "left out: it has no id");
    if (rule.regex.empty()) return note(rule.line, rule.id, "left out: it has no regex");
    if (rule.has_path) return note(rule.line, rule.id, "left out: it is about names of files");
    if (rule.has_required) return note(rule.line, rule.id, "left out: it needs other rules to match near by");
    Detector detector;
    if (!take_keywords(rule, detector)) return;
    auto const pattern =
        "(?s:.{0," + std::to_string(kImportLead) + "}?)(?:" + with_one_group(rule.regex, rule.secret_group) + ")";
    if (auto const wrong = complaint(pattern); !wrong.empty()) return note(rule.line, rule.id, "left out: " + wrong);
    for (auto const& list : rule.allowlists) add(list, rule.id, screen);
    screen.min_entropy = rule.entropy;
    detector.id = keep(is_ours(rule.id) ? "gitleaks-" + rule.id : rule.id);
    detector.title = keep(rule.description.empty() ? rule.id : rule.description);
    detector.letter_case = Case::ignored;
    detector.pattern = keep(pattern);
    detector.lead = {kAnyByte, 0, kImportLead};
    detector.reach = kImportReach;
    bool const generic = rule.id.find("generic") != std::string::npos;  // no vendor's shape: a guess
    detector.severity = generic ? Severity::medium : Severity::high;
    imported_.detectors.push_back(detector);
    imported_.screens.push_back(std::move(screen));
  }

  bool take_keywords(GitleaksRule const& rule, Detector& detector) {
    std::size_t count = 0;
    for (auto const& keyword : rule.keywords) {
      if (keyword.size() < kMinKeyword) {
        note(rule.line, rule.id, "keyword \"" + keyword + "\" left out: it is shorter than three bytes");
      } else if (count == detector.literals.size()) {
        note(rule.line, rule.id, "keyword \"" + keyword + "\" left out: there are more than ten");
      } else {
        detector.literals[count++] = keep(keyword);
      }
    }
    if (count == 0) note(rule.line, rule.id, "left out: without a keyword of three bytes it would be tried everywhere");
    return count > 0;
  }

  std::string name_;
  ImportedDetectors imported_;
};

}  // namespace

Result<ImportedDetectors> import_gitleaks(std::string_view text, std::string_view name) {
  auto file = read_gitleaks(text, name);
  if (!file) return file.error();
  Import import(name);
  import.take(*file);
  return import.take_result();
}

}  // namespace sallyport::dlp
