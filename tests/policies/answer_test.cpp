#include "policies/answer.hpp"

#include "tests/policies/load_text.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

std::string said(Engine const& engine, std::string method, std::string_view host, std::string_view path) {
  auto const verdict = answer(engine, {host_of(host), 443, Scheme::https, std::move(method), CanonicalPath::from(path).value()});
  return std::string(to_string(verdict.action)) + ":" + verdict.reason;
}

TEST(Answer, SeesIntoTlsOnlyWhereItIsOpened) {
  Engine const engine(policy_of({"{hosts: [full.example], methods: [GET]}", "{hosts: [sni.example], inspect: sni}",
                                 "{hosts: [raw.example], inspect: raw}", "{hosts: [gone.example], action: deny}"}));
  EXPECT_EQ(said(engine, "GET", "full.example", "/"), "allow:allowed");
  EXPECT_EQ(said(engine, "PUT", "full.example", "/"), "deny:method_not_allowed");
  EXPECT_EQ(said(engine, "PUT", "sni.example", "/"), "allow:allowed");
  EXPECT_EQ(said(engine, "PUT", "raw.example", "/"), "allow:allowed");
  EXPECT_EQ(said(engine, "GET", "gone.example", "/"), "deny:rule_denies");
  EXPECT_EQ(said(engine, "GET", "other.example", "/"), "deny:no_rule");
}

}  // namespace
}  // namespace sallyport::policies
