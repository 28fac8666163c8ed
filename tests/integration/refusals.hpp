#pragma once
// How the integration tests say "refused, at once, and on record". One thread.

#include "tests/support/run_in_jail.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sallyport::test {

/// The guest did not get out, was told so within the time a person calls "at once", and named one of these errors.
void expect_guest_refused(JailOutcome const& outcome, std::vector<std::string> const& errors);

/// The log holds at least one record with these values.
void expect_recorded(JailOutcome const& outcome, Wanted wanted);
/// The same, and every such record names a process whose executable ends in `program`, with a command chain that leads to
/// it.
void expect_on_record(JailOutcome const& outcome, Wanted wanted, std::string_view program);

/// --resolve: `name` on `port` leads to a test server on loopback; whether that is allowed is another matter.
std::vector<std::string> pin(std::string const& name, unsigned port, unsigned server_port);
/// pin() and --allow.
std::vector<std::string> reach(std::string const& name, unsigned port, unsigned server_port);

}  // namespace sallyport::test
