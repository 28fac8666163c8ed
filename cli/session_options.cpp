#include "cli/session_options.hpp"

namespace sallyport::cli {

CLI::Option* repeatable(CLI::App& app, char const* name, std::vector<std::string>& to, char const* help) {
  return app.add_option(name, to, help)->allow_extra_args(false);
}

void declare_pins(CLI::App& app, std::vector<policies::Pin>& to) {
  auto store = [&to](policies::Pin pin) { to.push_back(std::move(pin)); };
  app.add_option("--resolve", parsed("--resolve", policies::parse_pin, store),
                 "HOST:PORT:ADDR[:PORT] pins where a name leads; may be repeated")
      ->allow_extra_args(false)
      ->type_name("PIN")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void declare_ca_bundles(CLI::App& app, std::vector<std::string>& to) {
  repeatable(app, "--ca-bundle", to, "PEM file of authorities to trust for servers, besides the system's; may be repeated")
      ->type_name("FILE");
}

}  // namespace sallyport::cli
