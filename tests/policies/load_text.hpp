#pragma once
// Policies from text, for tests: what the loader does, without files.

#include "policies/address_class.hpp"
#include "policies/canonical_host.hpp"
#include "policies/merge.hpp"
#include "policies/yaml_layer.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace sallyport::policies {

/// Problems of a policy file with this text, one line each: "p.yaml:line:column: what".
inline std::vector<std::string> problems_of(std::string const& text) {
  Problems problems;
  auto layer = read_layer("p.yaml", text, "/home/user", problems);
  if (layer) merge_layers({std::move(*layer)}, problems);
  std::vector<std::string> lines;
  for (auto const& problem : problems) lines.push_back(to_string(problem));
  return lines;
}

inline std::shared_ptr<Policy const> load_text(std::string const& text) {
  Problems problems;
  auto layer = read_layer("p.yaml", text, "/home/user", problems);
  auto policy = layer ? merge_layers({std::move(*layer)}, problems) : nullptr;
  for (auto const& problem : problems) ADD_FAILURE() << to_string(problem);
  return policy;
}

/// A policy with these rules, each one line of flow YAML without the leading "- ".
inline std::shared_ptr<Policy const> policy_of(std::vector<std::string> const& rules,
                                               std::string const& network = "restricted") {
  std::string text = "version: 1\nnetwork: " + network + "\negress:\n";
  for (auto const& rule : rules) text += "  - " + rule + "\n";
  return load_text(text);
}

inline CanonicalHost host_of(std::string_view raw) { return CanonicalHost::from(raw).value(); }
inline IpAddress address_of(std::string_view text) { return IpAddress::parse(text).value(); }

}  // namespace sallyport::policies
