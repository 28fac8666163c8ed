#include "cli/session_options.hpp"

#include <utility>

namespace sallyport::cli {

CLI::Option* repeatable(CLI::App& app, char const* name, std::vector<std::string>& to, char const* help) {
  return app.add_option(name, to, help)->allow_extra_args(false);
}

CLI::Validator at_least_one() {
  auto const check = [](std::string const& text) {
    int value = 0;
    bool const fits = CLI::detail::lexical_cast(text, value) && value >= 1;
    return fits ? std::string() : "'" + text + "' is not a whole number from 1 on";
  };
  return CLI::Validator(check, "");
}

void declare_pins(CLI::App& app, std::vector<policies::Pin>& to) {
  auto store = [&to](policies::Pin pin) { to.push_back(std::move(pin)); };
  app.add_option("--resolve", parsed("--resolve", policies::parse_pin, store),
                 "HOST:PORT:ADDR[:PORT] pins where a name leads; may be repeated")
      ->allow_extra_args(false)
      ->type_name("PIN")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void declare_placeholders(CLI::App& app, Placeholders& to) {
  auto store = [&to](Placeholders::value_type placeholder) { to.insert_or_assign(placeholder.first, std::move(placeholder.second)); };
  app.add_option("--placeholder", parsed("--placeholder", parse_placeholder, store),
                 "What programs hold in the place of the policy's credential NAME; its value stays out here; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=TEXT")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void declare_upstream(CLI::App& app, UpstreamOptions& to) {
  auto store_proxy = [&to](policies::UpstreamProxy proxy) { to.proxy = std::move(proxy); };
  auto* proxy = app.add_option("--upstream-proxy", parsed("--upstream-proxy", policies::parse_upstream_proxy, store_proxy),
                               "The proxy of this network, through which allowed requests go: http, https, socks5 or socks5h URL")
                    ->type_name("URL")
                    ->envname("SALLYPORT_UPSTREAM_PROXY");
  auto store_direct = [&to](policies::DirectHosts hosts) { to.direct = std::move(hosts); };
  app.add_option("--no-upstream-proxy", parsed("--no-upstream-proxy", policies::DirectHosts::parse, store_direct),
                 "Names, addresses and CIDR blocks that are reached without it, with commas between them")
      ->type_name("LIST")
      ->envname("SALLYPORT_NO_UPSTREAM_PROXY");
  auto store_dns = [&to](std::string const& where) { to.looks_up_names = where == "remote"; };
  app.add_option_function<std::string>("--upstream-dns", store_dns,
                                       "Who looks names up: this machine, under the address guard, or the upstream proxy; by default what the URL says")
      ->check(CLI::IsMember({"local", "remote"}))
      ->needs(proxy);
}

std::shared_ptr<policies::UpstreamRoute const> route_of(UpstreamOptions const& options) {
  if (!options.proxy) return nullptr;
  auto proxy = *options.proxy;
  proxy.looks_up_names = options.looks_up_names.value_or(proxy.looks_up_names);
  return std::make_shared<policies::UpstreamRoute const>(policies::UpstreamRoute{std::move(proxy), options.direct});
}

void declare_ca_bundles(CLI::App& app, std::vector<std::string>& to) {
  repeatable(app, "--ca-bundle", to, "PEM file of authorities to trust for servers, besides the system's; may be repeated")
      ->type_name("FILE");
}

}  // namespace sallyport::cli
