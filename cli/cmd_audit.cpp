// `sallyport audit`: show, list and verify. The options only; what they do is in audit_show and audit_verify.

#include "audit/places.hpp"
#include "cli/audit_show.hpp"
#include "cli/audit_verify.hpp"
#include "cli/command.hpp"

#include <functional>
#include <memory>

namespace sallyport::cli {

namespace {

constexpr int kUsage = 2;

/// Runs `command` with the caller's directories.
int with_places(Console const& console, std::function<int(audit::Places const&)> const& command) {
  auto const places = audit::default_places();
  if (places) return command(*places);
  std::fprintf(console.err, "sallyport: %s\n", places.error().what.c_str());
  return kUsage;
}

void declare_show(CLI::App& audit, Chosen& chosen) {
  auto options = std::make_shared<ShowOptions>();
  auto* show = audit.add_subcommand("show", "Print a log as a table, with a summary below it");
  auto* file = show->add_option("FILE", options->file, "A log; the newest without this");
  show->add_option("--session", options->session, "The log of this session; the beginning of its id is enough")
      ->excludes(file);
  show->add_option("--type", options->types, "Only records of this type: egress.request, or egress for all egress types")
      ->allow_extra_args(false);
  show->add_flag("--denied", options->denied, "Only what was refused");
  show->add_flag("--json", options->json, "The records as they stand in the file");
  show->callback([options, &chosen] {
    chosen = [options](Console const& console) {
      return with_places(console,
                         [&](audit::Places const& places) { return show_audit(console, places.log_dir, *options); });
    };
  });
}

void declare_list(CLI::App& audit, Chosen& chosen) {
  auto json = std::make_shared<bool>(false);
  auto* list = audit.add_subcommand("list", "List the logs of your sessions, oldest first");
  list->add_flag("--json", *json, "One JSON object a line");
  list->callback([json, &chosen] {
    chosen = [json](Console const& console) {
      auto const output = *json ? Output::json : Output::table;
      return with_places(console, [&](audit::Places const& places) { return list_audit(console, places.log_dir, output); });
    };
  });
}

void declare_verify(CLI::App& audit, Chosen& chosen) {
  auto options = std::make_shared<VerifyOptions>();
  auto* verify = audit.add_subcommand("verify", "Check that logs are whole and unchanged; names the first bad record");
  verify->add_option("FILE", options->files, "Logs; the newest without this");
  verify->add_option("--key", options->keys, "A file whose first line is a public key to trust, instead of your own")
      ->allow_extra_args(false);
  verify->add_flag("--live", options->live, "The session may still be running: accept a log without an end");
  verify->add_flag("--json", options->json, "One JSON object a log");
  verify->callback([options, &chosen] {
    chosen = [options](Console const& console) {
      return with_places(console, [&](audit::Places const& places) { return verify_audit(console, places, *options); });
    };
  });
}

}  // namespace

void declare_audit(CLI::App& app, Chosen& chosen) {
  auto* audit = app.add_subcommand("audit", "Read and check audit logs");
  audit->require_subcommand(1);
  declare_show(*audit, chosen);
  declare_list(*audit, chosen);
  declare_verify(*audit, chosen);
}

}  // namespace sallyport::cli
