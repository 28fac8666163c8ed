#pragma once
// Host patterns of rules. Pure; any thread. Grammar: section "Hosts" of docs/policy_reference.md.

#include "base/result.hpp"
#include "policies/canonical_host.hpp"

#include <string>
#include <string_view>

namespace sallyport::policies {

/// pattern = host | "*." name | "**." name | label-with-one-"*" "." name | "*"
struct HostPattern {
  enum class Kind {
    exact,    // this name or address
    below,    // *.domain: one or more labels below it
    tree,     // **.domain: the domain and everything below it
    partial,  // before*after.domain: one label, '*' stands for one or more bytes in it
    any,      // *: every name, no address
  };
  Kind kind = Kind::exact;
  std::string domain;  // canonical host, or what the wildcard stands below; empty for any
  std::string before;  // of partial: the first label around '*'
  std::string after;

  /// Errors say what to write instead.
  static Result<HostPattern> parse(std::string_view raw);
  bool matches(CanonicalHost const& host) const;
  /// Canonical spelling; parse(to_string()) gives the same pattern.
  std::string to_string() const;
  bool operator==(HostPattern const&) const = default;
};

}  // namespace sallyport::policies
