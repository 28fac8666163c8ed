#include "policies/canonical_path.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

void ok(std::string_view raw, std::string_view canonical) {
  auto const path = CanonicalPath::from(raw);
  ASSERT_TRUE(path) << raw << ": " << path.error().what;
  EXPECT_EQ(path->str(), canonical) << raw;
  EXPECT_EQ(CanonicalPath::from(path->str()).value(), *path) << "canonical text is stable";
}

void bad(std::string_view raw) {
  auto const path = CanonicalPath::from(raw);
  EXPECT_FALSE(path) << raw << " became " << path->str();
}

TEST(CanonicalPath, DecodesUnreservedAndUppercasesTheRest) {
  ok("/", "/");
  ok("/simple/requests/", "/simple/requests/");
  ok("/%61%2D%7e", "/a-~");
  ok("/a%3ab", "/a%3Ab");
  ok("/a%20b", "/a%20b");
  ok("/%e4%bd%a0", "/%E4%BD%A0");
}

TEST(CanonicalPath, KeepsAnEncodedSlashInOneSegment) { ok("/@scope%2fname", "/@scope%2Fname"); }

TEST(CanonicalPath, EscapesWhatMayNotStandRaw) {
  ok("/a{b}|\"<>^`", "/a%7Bb%7D%7C%22%3C%3E%5E%60");
  ok("/a[1]", "/a%5B1%5D");
  ok("/a?b[]=1&c={}", "/a?b[]=1&c=%7B%7D");
}

TEST(CanonicalPath, KeepsTheQueryApart) {
  ok("/a?", "/a?");
  ok("/a?b?c=/d", "/a?b?c=/d");
  ok("/a?x=../..//%2e%2525", "/a?x=../..//.%2525");
  auto const path = CanonicalPath::from("/a?b=1").value();
  EXPECT_EQ(path.path(), "/a");
  EXPECT_EQ(path.query(), "b=1");
  EXPECT_TRUE(path.has_query());
}

TEST(CanonicalPath, RefusesDotSegmentsInEverySpelling) {
  for (auto raw : {"/..", "/.", "/a/../b", "/a/./b", "/%2e%2e/a", "/.%2E/a", "/a/%2e", "/a/..;/b", "/a/.;x=1",
                   "/a/..%3bx/b", "/..%2fadmin", "/a%2f..%2fb", "/a%2F.", "/..%5cadmin"}) {
    bad(raw);
  }
  ok("/...", "/...");
  ok("/a..b/.c", "/a..b/.c");
}

TEST(CanonicalPath, RefusesWhatServersReadDifferently) {
  for (auto raw : {"",
                   "a",
                   "*",
                   "http://example.com/",
                   "//a",
                   "/a//b",
                   "/a\\b",
                   "/a%5Cb",
                   "/%00",
                   "/a%0d%0ab",
                   "/%7f",
                   "/%",
                   "/%4",
                   "/%zz",
                   "/a%2",
                   "/%252e%252e/",
                   "/a%2541",
                   "/%c0%ae",
                   "/%C1%81",
                   "/%e0%80%af",
                   "/%f0%80%80%af",
                   "/a#b",
                   "/a?b#c",
                   "/a b",
                   "/a?b c",
                   "/\xc3\xa9",
                   "/a?\xc3\xa9",
                   "/a\r\nHost: b",
                   "/a?\x01",
                   "/a?%",
                   "/a\x7f"}) {
    bad(raw);
  }
  bad(std::string_view("/a\0b", 4));
}

TEST(CanonicalPath, AllowsAPercentSignThatEscapesNothing) { ok("/100%25", "/100%25"); }

TEST(CanonicalPath, IsBounded) { bad("/" + std::string(20'000, 'a')); }

}  // namespace
}  // namespace sallyport::policies
