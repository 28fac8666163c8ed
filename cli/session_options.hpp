#pragma once
// Options that `run` and `proxy` have in common, and CLI11's way of saying what is wrong with a value.

#include "cli/held_credentials.hpp"
#include "policies/pin.hpp"
#include "policies/upstream_proxy.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sallyport::cli {

/// A repeatable option that takes one value each time.
CLI::Option* repeatable(CLI::App& app, char const* name, std::vector<std::string>& to, char const* help);

/// For an option with a whole number.
CLI::Validator at_least_one();

/// --resolve HOST:PORT:ADDR[:PORT], repeatable. `to` outlives the parsing.
void declare_pins(CLI::App& app, std::vector<policies::Pin>& to);

struct UpstreamOptions {
  std::optional<policies::UpstreamProxy> proxy;
  policies::DirectHosts direct;
  std::optional<bool> looks_up_names;  // empty: as the proxy's scheme says
};
/// --upstream-proxy URL, --no-upstream-proxy LIST, --upstream-dns local|remote; the first two also from the environment, where a password
/// is not in anybody's list of processes. `to` outlives the parsing.
void declare_upstream(CLI::App& app, UpstreamOptions& to);
/// Null: without an upstream proxy.
std::shared_ptr<policies::UpstreamRoute const> route_of(UpstreamOptions const& options);

/// --placeholder NAME=TEXT, repeatable. `to` outlives the parsing.
void declare_placeholders(CLI::App& app, Placeholders& to);

/// --ca-bundle FILE, repeatable. `to` outlives the parsing.
void declare_ca_bundles(CLI::App& app, std::vector<std::string>& to);

/// Turns each text into a value with `parse` (-> Result<T>) and hands it to `store`.
template <class Parse, class Store>
CLI::callback_t parsed(char const* option, Parse parse, Store store) {
  return [option, parse, store](CLI::results_t const& values) {
    for (auto const& value : values) {
      auto result = parse(value);
      if (!result) throw CLI::ValidationError(option, result.error().what);
      store(*std::move(result));
    }
    return true;
  };
}

}  // namespace sallyport::cli
