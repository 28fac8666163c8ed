#include "cli/secret_scrub.hpp"

#include "dlp/known_values.hpp"
#include "dlp/scanner.hpp"
#include "dlp/verdict.hpp"
#include "policies/public_suffix.hpp"
#include "proxy/dlp_rules.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace sallyport::cli {
namespace {

class SecretScrub {
 public:
  SecretScrub(policies::DlpPolicy const& policy, proxy::DlpOptions const& options)
      : setup_(policy, options, dlp::Repeats::every) {}

  void learn(dlp::KnownValue const& value) { setup_.learn(value); }

  void clean(audit::SessionStart& event) { clean(event.argv); }
  void clean(audit::CommandExec& event) { clean(event.argv); }
  void clean(audit::DnsQuery& event) {
    clean_name(event.name);
    clean(event.process);
  }
  void clean(audit::EgressRequest& event) {
    clean(event.path);
    clean_name(event.host);
    clean_name(event.sni);
    clean(event.process);
  }
  void clean(auto&) {}

 private:
  void clean(std::optional<audit::Process>& process) {
    if (process) clean(process->argv);
  }
  void clean(std::vector<std::string>& texts) {
    for (auto& text : texts) clean(text);
  }
  /// A secret may be spread over the labels of a name; the domain that it was told to stays.
  void clean_name(std::string& name) {
    auto const is_sure = [](dlp::Finding const& finding) { return finding.certainty != dlp::Certainty::guess; };
    auto const findings = dlp::scan_at(setup_.get(), name, dlp::Place::dns);
    auto const found = std::find_if(findings.begin(), findings.end(), is_sure);
    if (found == findings.end()) return;
    name = "REDACTED-" + found->detector + "." + std::string(policies::registered_part(name));
  }
  /// What stands plain first: a coded stretch may be the whole text, because of a few characters in it.
  void clean(std::string& text) {
    if (text.size() < dlp::KnownValues::kMinBytes) return;
    auto const is_plain = [](dlp::Finding const& finding) { return finding.codings.empty(); };
    if (overwrite(text, is_plain)) overwrite(text, [](dlp::Finding const&) { return true; });
  }
  /// Whether anything was found, whatever it was.
  template <class Wanted>
  bool overwrite(std::string& text, Wanted wanted) {
    auto const findings = dlp::scan_message(setup_.get(), text);
    for (auto const& finding : findings) {
      if (!wanted(finding) || finding.certainty == dlp::Certainty::guess || finding.offset >= text.size()) continue;
      auto const begin = static_cast<std::size_t>(finding.offset);
      auto const length = static_cast<std::size_t>(std::min<std::uint64_t>(finding.length, text.size() - begin));
      text.replace(begin, length, proxy::placeholder(finding.detector, length));
    }
    return !findings.empty();
  }

  proxy::DlpSetup setup_;
};

}  // namespace

audit::Scrub secret_scrub(policies::DlpPolicy const& policy, proxy::DlpOptions const& options) {
  return learning_scrub(policy, options).scrub;
}

LearningScrub learning_scrub(policies::DlpPolicy const& policy, proxy::DlpOptions const& options) {
  auto scrub = std::make_shared<SecretScrub>(policy, options);
  return {[scrub](audit::Event& event) { std::visit([&](auto& each) { scrub->clean(each); }, event); },
          [scrub](dlp::KnownValue const& value) { scrub->learn(value); }};
}

}  // namespace sallyport::cli
