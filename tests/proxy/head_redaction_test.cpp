#include "proxy/head_redaction.hpp"

#include <gtest/gtest.h>

namespace sallyport::proxy {
namespace {

HttpTarget target(std::string const& path) {
  return {policies::CanonicalHost::from("a.example").value(), 443, policies::CanonicalPath::from(path).value(), UrlScheme::https};
}

TEST(HeadRedaction, OverwritesEveryPlaceInValuesAndQuery) {
  RequestHead head;
  head.fields = {{"X-Key", "abc secret abc secret"}, {"secret", "plain"}};
  auto at = target("/secret/x?k=secret&secret=2");
  redact(head, at, {{"secret", "REDACT"}});
  EXPECT_EQ(head.fields[0].value, "abc REDACT abc REDACT");
  EXPECT_EQ(head.fields[1], (Field{"secret", "plain"})) << "a name is as the policy allowed it";
  EXPECT_EQ(at.path.str(), "/secret/x?k=REDACT&REDACT=2") << "and so is the path";
}

TEST(HeadRedaction, LeavesTheRestAlone) {
  RequestHead head;
  head.fields = {{"Accept", "*/*"}};
  auto at = target("/@scope%2fname");
  auto const before = at.path.str();
  redact(head, at, {{"other", "OTHER"}});
  EXPECT_EQ(at.path.str(), before);
  EXPECT_EQ(head.fields[0].value, "*/*");
}

}  // namespace
}  // namespace sallyport::proxy
