#include "tests/integration/refusals.hpp"

#include "tests/guests/guest.hpp"

#include <gmock/gmock.h>

namespace sallyport::test {

using testing::HasSubstr;
using testing::Not;

void expect_guest_refused(JailOutcome const& outcome, std::vector<std::string> const& errors) {
  EXPECT_EQ(outcome.exit_code, guests::kGuestRefused) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, Not(HasSubstr("ESCAPED")));
  EXPECT_LT(outcome.duration, 3s);
  auto const named = [&](std::string const& error) {
    return outcome.out.find("refused: " + error + "\n") != std::string::npos;
  };
  EXPECT_TRUE(std::any_of(errors.begin(), errors.end(), named))
      << "said " << outcome.out << "expected one of " << testing::PrintToString(errors);
}

void expect_recorded(JailOutcome const& outcome, Wanted wanted) {
  EXPECT_FALSE(having(outcome.records, wanted).empty())
      << "no record with " << testing::PrintToString(std::vector(wanted)) << " in\n"
      << print(outcome.records);
}

void expect_on_record(JailOutcome const& outcome, Wanted wanted, std::string_view program) {
  expect_recorded(outcome, wanted);
  for (auto const& record : having(outcome.records, wanted)) {
    EXPECT_TRUE(text_at(record, "process.exe").ends_with("/" + std::string(program))) << print({record});
    EXPECT_NE(text_at(record, "process.pid"), "") << print({record});
    EXPECT_NE(text_at(record, "process.argv"), "") << print({record});
    auto const chain = command_chain(outcome.records, record);
    EXPECT_FALSE(chain.empty()) << print({record});
    EXPECT_THAT(chain.empty() ? "" : chain.back(), HasSubstr(program)) << print(outcome.records);
  }
}

std::vector<std::string> pin(std::string const& name, unsigned port, unsigned server_port) {
  return {"--resolve", name + ":" + std::to_string(port) + ":127.0.0.1:" + std::to_string(server_port)};
}

std::vector<std::string> reach(std::string const& name, unsigned port, unsigned server_port) {
  auto options = pin(name, port, server_port);
  options.insert(options.end(), {"--allow", name + ":" + std::to_string(port)});
  return options;
}

}  // namespace sallyport::test
