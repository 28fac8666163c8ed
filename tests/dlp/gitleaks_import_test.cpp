#include "dlp/gitleaks_import.hpp"

#include "detector_cases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ImportedDetectors imported(std::string const& toml) { return import_gitleaks(toml, "f.toml").value(); }

std::string rule(std::string const& regex, std::string const& more = {}) {
  return "[[rules]]\nid = \"acme\"\nregex = '''" + regex + "'''\nkeywords = [\"acme\"]\n" + more;
}

/// What the rules find in `text`, as offset and length; 0 and 0 for nothing.
Span found(std::string const& toml, std::string const& text, std::string_view id = "acme") {
  RuleSet::Options options;
  options.imported.push_back(imported(toml));
  Scanner::Setup const setup{RuleSet::build(std::move(options)).value(), nullptr, "salt"};
  auto const finding = test::finding_of(id, text, setup);
  return finding ? Span{finding->offset, finding->offset + finding->length} : Span{};
}

TEST(GitleaksImport, SecretIsTheGroupThatTheRuleNames) {
  EXPECT_EQ((Span{8, 12}), found(rule("acme_([a-z]+)_([a-z0-9]+)", "secretGroup = 2\n"), "acme_ab_q7x2"));
  EXPECT_EQ((Span{5, 9}), found(rule("acme_([a-z0-9]+)(?:;|$)"), "acme_q7x2;"));
  EXPECT_EQ((Span{0, 9}), found(rule("acme_[a-z0-9]+"), "acme_q7x2"));
  EXPECT_EQ((Span{5, 9}), found(rule("acme[(_](?P<key>[a-z0-9]+)"), "acme_q7x2")) << "a bracket in a class opens no group";
}

TEST(GitleaksImport, MatchMayBeginBeforeItsKeyword) {
  EXPECT_EQ((Span{1, 10}), found(rule("[a-z0-9]{4}-acme"), " q7x2-acme"));
  EXPECT_EQ((Span{12, 19}), found(rule("(?i)id=([0-9]{7}).{0,20}ACME"), "   xxxxx id=1234567, of acme"));
}

TEST(GitleaksImport, EntropyStopwordsAndAllowedPatternsScreenWhatMatches) {
  auto const screened =
      rule("acme_([a-z0-9]+)", "entropy = 2.0\n[rules.allowlist]\nstopwords = [\"Sample\"]\nregexes = ['''^q+7''']\n");
  EXPECT_EQ((Span{5, 13}), found(screened, "acme_x7k2m9p4"));
  EXPECT_EQ(Span{}, found(screened, "acme_ababababab")) << "entropy";
  EXPECT_EQ(Span{}, found(screened, "acme_sample7k2m9p4")) << "stopword";
  EXPECT_EQ(Span{}, found(screened, "acme_qq7k2m9p4")) << "allowed";
}

TEST(GitleaksImport, WhatIsNotTakenOverIsNamedWithItsLine) {
  auto const none = imported(
      "[[rules]]\nid = \"a\"\nregex = '''x'''\n[[rules]]\nid = \"b\"\npath = '''y'''\nregex = '''x'''\nkeywords = "
      "[\"abc\"]\n"
      "[[rules]]\nid = \"c\"\nregex = '''(x'''\nkeywords = [\"ab\", \"abc\"]\n"
      "[[rules]]\nid = \"d\"\nregex = '''([a-z]{1,1000}){1,1000}'''\nkeywords = [\"abc\"]\n");
  EXPECT_THAT(none.detectors, IsEmpty());
  EXPECT_THAT(
      none.not_imported,
      ElementsAre(HasSubstr("f.toml:1: a: left out: without a keyword"),
                  HasSubstr("f.toml:4: b: left out: it is about names"), HasSubstr("f.toml:9: c: keyword \"ab\" left out"),
                  HasSubstr("f.toml:9: c: left out: missing"), HasSubstr("f.toml:13: d: left out: ")));
}

TEST(GitleaksImport, RuleWithTheIdOfAShippedDetectorGetsAnother) {
  auto const other = imported("[[rules]]\nid = \"jwt\"\nregex = '''acme'''\nkeywords = [\"acme\"]\n");
  EXPECT_EQ(other.detectors[0].id, "gitleaks-jwt");
}

}  // namespace
}  // namespace sallyport::dlp
