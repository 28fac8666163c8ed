#pragma once
// A loaded policy: immutable after loading, shared by std::shared_ptr<Policy const>. Values only.

#include "policies/address_class.hpp"
#include "policies/verdict.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sallyport::policies {

/// Where something was written, for errors and `explain`. Lines and columns count from 1.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  bool operator==(Place const&) const = default;
};

enum class Inspect {
  full,  // terminate TLS; the default. Not in this version: TLS under such a rule is refused, the loader says so
  sni,   // opaque after the SNI check
  raw,   // no TLS. Not in this version: the loader refuses it
};

enum class ResolveClass { public_, private_, cidrs };

/// Which addresses a rule's names may resolve to.
struct ResolveRule {
  ResolveClass kind = ResolveClass::public_;
  std::vector<Cidr> cidrs;  // if kind is cidrs
};

struct Rule {
  std::string name;
  std::vector<std::string> hosts;    // canonical patterns, as section "Hosts" of docs/policy_reference.md
  std::vector<std::uint16_t> ports;  // default 443; of a deny rule: empty is any port, and the default
  Inspect inspect = Inspect::full;
  std::vector<std::string> methods;  // empty: any
  std::vector<std::string> paths;    // globs; empty: any
  Action action = Action::allow;
  ResolveRule resolve;
  Place place;
};

enum class Network { none, restricted, full };
enum class Workspace { rw, ro };

struct Filesystem {
  std::vector<std::string> read;   // further paths that are visible, read-only
  std::vector<std::string> write;  // further paths that are writable
  std::vector<std::string> hide;   // paths that are not there
  Workspace workspace = Workspace::rw;
};

struct Environment {
  std::vector<std::string> pass;  // further variables of the caller, by name
  std::map<std::string, std::string> set;
};

struct Policy {
  std::string name;                 // of the last file, or "none"
  std::vector<std::string> layers;  // what was merged, in order: "preset npm", "file policy.yaml", "--allow x"
  std::string digest;               // "sha256:<hex>" over the bytes of all layers
  Network network = Network::none;
  std::vector<std::shared_ptr<Rule const>> rules;
  Filesystem filesystem;
  Environment environment;
  std::vector<std::string> warnings;  // one line each: a rule that can never match, …
};

}  // namespace sallyport::policies
