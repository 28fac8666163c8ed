// `sallyport dlp`: scan, detectors and allow. The options only; what they do is in dlp_scan, dlp_jsonl, dlp_report and dlp_allow.

#include "cli/command.hpp"
#include "cli/dlp_allow.hpp"
#include "cli/dlp_jsonl.hpp"
#include "cli/dlp_report.hpp"
#include "cli/dlp_scan.hpp"

#include <chrono>
#include <iostream>
#include <memory>

namespace sallyport::cli {
namespace {

constexpr int kUsage = 2;

int scan(Console const& console, DlpScanOptions const& options) {
  auto setup = dlp_setup(console, options.rules);
  if (!setup) {
    std::fprintf(console.err, "sallyport: %s\n", setup.error().what.c_str());
    return kUsage;
  }
  return options.jsonl ? scan_jsonl(console, *setup, std::cin) : scan_files(console, *setup, options, std::cin);
}

void declare_scan(CLI::App& dlp, Chosen& chosen) {
  auto options = std::make_shared<DlpScanOptions>();
  auto* scan_command = dlp.add_subcommand("scan", "Look for secrets in files, directories, or standard input");
  auto* paths = scan_command->add_option("FILE", options->paths, "Files and directories; standard input without this");
  scan_command->add_option("--disable", options->rules.disabled, "A detector to leave out")->allow_extra_args(false);
  scan_command->add_option("--config", options->rules.configs, "A gitleaks configuration whose rules are looked for, too")
      ->allow_extra_args(false);
  scan_command->add_flag("--no-ignore", options->no_ignore, "Also look into files that .gitignore names");
  auto* jsonl =
      scan_command->add_flag("--jsonl", options->jsonl, "One message a line on standard input, one verdict a line out");
  auto* json = scan_command->add_flag("--json", options->json, "One JSON object for each finding");
  auto* sarif = scan_command->add_flag("--sarif", options->sarif, "All findings as one SARIF 2.1.0 document");
  jsonl->excludes(paths)->excludes(json)->excludes(sarif);
  json->excludes(sarif);
  scan_command->footer(
      "A message of --jsonl: {\"id\": 1, \"text\": \"…\", \"channel\": \"url\", \"host\": \"api.example.com\"}. \"base64\" may stand in place of \"text\";\n"
      "a channel is url, header, body (the default) or dns; \"content_encoding\" is gzip, deflate, br or zstd.\n\n"
      "Exit status: 0 nothing found, 1 something found, 2 an error.");
  scan_command->callback(
      [options, &chosen] { chosen = [options](Console const& console) { return scan(console, *options); }; });
}

void declare_detectors(CLI::App& dlp, Chosen& chosen) {
  auto json = std::make_shared<bool>(false);
  auto* detectors = dlp.add_subcommand("detectors", "List what is looked for, with an example of each");
  detectors->add_flag("--json", *json, "One JSON object a line");
  detectors->callback([json, &chosen] {
    chosen = [json](Console const& console) { return list_detectors(console, *json ? ListAs::json : ListAs::table); };
  });
}

std::chrono::sys_days today() { return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()); }

void declare_allow(CLI::App& dlp, Chosen& chosen) {
  auto options = std::make_shared<DlpAllowOptions>();
  auto* allow = dlp.add_subcommand("allow", "Write the exception for one finding: its value, its detector, its host, for a time");
  allow->add_option("--from", options->from, "Audit log (default: the newest)")->type_name("LOG");
  allow->add_option("--seq", options->seq, "The finding's seq in it, as sallyport audit show prints it")->required()->type_name("N");
  allow->add_option("--until", options->until, "Its last day, YYYY-MM-DD, in UTC (default: in 30 days)")->type_name("DATE");
  allow->add_option("--to", options->to, "Policy file to make, or to add it to (default: standard output)")->type_name("FILE");
  allow->footer("Example:\n  sallyport dlp allow --seq 17 --to exceptions.yaml && sallyport run --policy npm --policy ./exceptions.yaml -- npm ci");
  allow->callback([options, &chosen] { chosen = [options](Console const& console) { return allow_finding(console, *options, today()); }; });
}

}  // namespace

void declare_dlp(CLI::App& app, Chosen& chosen) {
  auto* dlp = app.add_subcommand("dlp", "Look for secrets");
  dlp->require_subcommand(1);
  declare_scan(*dlp, chosen);
  declare_detectors(*dlp, chosen);
  declare_allow(*dlp, chosen);
}

}  // namespace sallyport::cli
