#include "policies/path_glob.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

void matches(std::string_view glob, std::string_view path) {
  EXPECT_TRUE(PathGlob::compile(glob).value().matches(path)) << glob << " " << path;
}
void misses(std::string_view glob, std::string_view path) {
  EXPECT_FALSE(PathGlob::compile(glob).value().matches(path)) << glob << " " << path;
}
void bad(std::string_view glob) { EXPECT_FALSE(PathGlob::compile(glob)) << glob; }

TEST(PathGlob, LiteralIsWholeAndCaseSensitive) {
  matches("/a/b", "/a/b");
  misses("/a/b", "/a/b/");
  misses("/a/b", "/a/bc");
  misses("/a/b", "/x/a/b");
  misses("/a/b", "/A/b");
  matches("/a.b", "/a.b");
  misses("/a.b", "/axb");
  matches("/a+(b)", "/a+(b)");
}

TEST(PathGlob, StarStaysWithinASegment) {
  matches("/a/*", "/a/b");
  matches("/a/*", "/a/");
  misses("/a/*", "/a/b/c");
  matches("/a/*.tgz", "/a/x.tgz");
  misses("/a/*.tgz", "/a/x/y.tgz");
  matches("/*/b*c", "/a/bxxc");
  matches("/*", "/@scope%2Fname");
}

TEST(PathGlob, DoubleStarIsAnyNumberOfSegments) {
  matches("/**", "/");
  matches("/**", "/a/b");
  matches("/simple/**", "/simple/");
  matches("/simple/**", "/simple/requests/");
  misses("/simple/**", "/simple");
  misses("/simple/**", "/simpler/x");
  matches("/a/**/b", "/a/b");
  matches("/a/**/b", "/a/x/y/b");
  misses("/a/**/b", "/a/xb");
  misses("/a/**/b", "/a/x/b/c");
}

TEST(PathGlob, IsWrittenInCanonicalForm) {
  EXPECT_EQ(PathGlob::compile("/%61/@s%2fn").value().text(), "/a/@s%2Fn");
  matches("/@s%2fn", "/@s%2Fn");
}

TEST(PathGlob, RefusesWhatCanNeverMatch) {
  for (auto glob : {"", "a", "**", "/a/../b", "/a//b", "/a?b", "/a#b", "/a**", "/**b/c", "/a/***", "/a b", "/%zz"})
    bad(glob);
}

TEST(PathGlob, FileNamesAreLiteral) {
  auto const pip = PathGlob::compile_file("/usr/bin/pip*").value();
  EXPECT_TRUE(pip.matches("/usr/bin/pip3"));
  EXPECT_FALSE(pip.matches("/usr/bin/pip/x"));
  EXPECT_FALSE(pip.matches("/tmp/usr/bin/pip"));
  EXPECT_TRUE(PathGlob::compile_file("/opt/**").value().matches("/opt/a b%2F/c"));
  EXPECT_TRUE(PathGlob::compile_file("/opt/100%").value().matches("/opt/100%"));
  for (auto glob : {"", "pip", "~/bin/x", "/a//b", "/a/../b", "/a**"}) EXPECT_FALSE(PathGlob::compile_file(glob)) << glob;
}

TEST(PathGlob, TakesLinearTime) {
  auto const glob = PathGlob::compile("/*a*a*a*a*a*a*a*a*a*a*b").value();
  EXPECT_FALSE(glob.matches("/" + std::string(16'000, 'a')));
}

}  // namespace
}  // namespace sallyport::policies
