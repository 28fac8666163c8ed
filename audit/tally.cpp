#include "audit/tally.hpp"

#include "audit/event_writer.hpp"

namespace sallyport::audit {

namespace {

RecordFacts facts_of_verdict(CommandExec const& exec) { return {{}, {}, exec.verdict, exec.exe, {}}; }
RecordFacts facts_of_verdict(DnsQuery const& query) { return {{}, {}, query.verdict, query.name, query.reason}; }
RecordFacts facts_of_verdict(EgressRequest const& request) { return {{}, "verdict", request.verdict, request.host, request.reason}; }
RecordFacts facts_of_verdict(auto const&) { return {}; }

}  // namespace

RecordFacts facts_of(Event const& event) {
  auto facts = std::visit([](auto const& record) { return facts_of_verdict(record); }, event);
  facts.type = type_of(event);
  return facts;
}

void Tally::add(RecordFacts const& facts) {
  auto const known = by_type.find(facts.type);
  if (known == by_type.end()) {
    by_type.emplace(facts.type, 1);
  } else {
    ++known->second;
  }

  bool const deny = facts.verdict == "deny";
  if (facts.type == "egress.request" && facts.phase == "verdict") ++(deny ? requests_denied : requests_allowed);
  if (facts.type == "dns.query" && deny) ++names_denied;
  if (facts.type == "command.exec") ++commands;
  if (facts.type == "command.exec" && deny) ++commands_denied;
  if (deny && !first_denied) first_denied = Denied{std::string(facts.subject), std::string(facts.reason)};
}

std::map<std::string, std::uint64_t> Tally::counts() const {
  std::map<std::string, std::uint64_t> counts(by_type.begin(), by_type.end());
  counts["denied"] = denied();
  return counts;
}

}  // namespace sallyport::audit
