#include "audit/line_reader.hpp"

#include "base/limits.hpp"
#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace sallyport::audit {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using End = Line::End;

std::vector<std::pair<std::string, End>> read(std::string_view content) {
  test::TempDir dir;
  test::write_file(dir / "log", content);
  auto reader = LineReader::open((dir / "log").string()).value();
  std::vector<std::pair<std::string, End>> lines;
  for (;;) {
    auto const line = reader.next().value();
    if (!line) return lines;
    lines.emplace_back(line->text, line->end);
    EXPECT_EQ(line->number, lines.size());
  }
}

TEST(LineReader, GivesEveryLineWithItsEnd) {
  EXPECT_THAT(read(""), ElementsAre());
  EXPECT_THAT(read("\n"), ElementsAre(Pair("", End::line_feed)));
  EXPECT_THAT(read("a\n\nbc\n"),
              ElementsAre(Pair("a", End::line_feed), Pair("", End::line_feed), Pair("bc", End::line_feed)));
  EXPECT_THAT(read("a\nb"), ElementsAre(Pair("a", End::line_feed), Pair("b", End::end_of_file)));
}

TEST(LineReader, GivesLinesAcrossBlocks) {
  std::string content;
  std::size_t const sizes[] = {1, 65534, 65535, 65536, 65537, 200000, 0, 3};
  for (auto size : sizes) content += std::string(size, 'x') + "\n";
  auto const lines = read(content);
  ASSERT_EQ(lines.size(), std::size(sizes));
  for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(lines[i].first.size(), sizes[i]);
}

TEST(LineReader, BoundsALineThatNeverEnds) {
  auto const lines = read(std::string(2 * limits::kMaxAuditLineBytes + 5, 'x'));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].first.size(), limits::kMaxAuditLineBytes);
  EXPECT_EQ(lines[0].second, End::too_long);
  EXPECT_EQ(lines[2], std::pair(std::string("xxxxx"), End::end_of_file));
}

TEST(LineReader, TakesALineOfExactlyTheBound) {
  auto const lines = read(std::string(limits::kMaxAuditLineBytes, 'x') + "\n");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].second, End::line_feed);
}

TEST(LineReader, SaysWhatItCannotRead) {
  test::TempDir dir;
  EXPECT_EQ(LineReader::open((dir / "none").string()).error().os_errno, ENOENT);
  auto reader = LineReader::open(dir.path().string()).value();
  EXPECT_EQ(reader.next().error().os_errno, EISDIR);
}

}  // namespace
}  // namespace sallyport::audit
