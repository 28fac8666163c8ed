#include "audit/verify.hpp"

#include "audit/chain.hpp"
#include "audit/line_writer.hpp"
#include "audit/record.hpp"
#include "tests/audit/sample_log.hpp"
#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace sallyport::audit {
namespace {

using ::testing::HasSubstr;
using Lines = std::vector<std::string>;

/// A log of seven records: start, five requests, end.
class VerifyTest : public ::testing::Test {
 protected:
  VerifyTest() : log_(make_log(dir_.path(), 5)), good_(lines_of(log_)) {}

  Verification verify(Lines const& lines, Expect expect = Expect::ended) {
    write_lines(log_, lines);
    return verify_file(log_.string(), expect).value();
  }
  /// The first bad record of a log of these lines is `seq`, for this reason.
  void bad(Lines const& lines, std::uint64_t seq, Fault fault) {
    auto const verified = verify(lines);
    ASSERT_TRUE(verified.problem);
    EXPECT_EQ(to_string(verified.problem->fault), to_string(fault)) << verified.problem->what;
    EXPECT_EQ(verified.problem->seq, seq) << verified.problem->what;
    EXPECT_FALSE(verified.problem->what.empty());
  }
  /// Lines of another session, signed by the same key.
  Lines other_session() { return lines_of(make_log(dir_.path(), 5, "20261128T000000Z-00000000")); }

  test::TempDir dir_;
  std::filesystem::path log_;
  Lines const good_;
};

/// What somebody without the key can do: change the text and compute the hashes anew from there on.
Lines rewritten(Lines lines, std::size_t first, std::string_view from, std::string_view to) {
  auto& line = lines[first];
  line.replace(line.find(from), from.size(), to);
  for (std::size_t i = first; i < lines.size(); ++i) {
    auto const links = links_of(lines[i]).value();
    auto hashed = std::string(links.hashed);
    if (i > first) hashed.replace(hashed.size() - 65, 64, links_of(lines[i - 1]).value().hash);
    lines[i] = hashed + std::string(kHashKey) + sha256_hex(hashed) + std::string(kLineEnd);
  }
  return lines;
}

TEST_F(VerifyTest, AcceptsAWholeLog) {
  auto const verified = verify(good_);
  EXPECT_FALSE(verified.problem);
  EXPECT_EQ(verified.records, 7U);
  EXPECT_EQ(verified.signed_records, 7U);
  EXPECT_EQ(verified.session, kSampleSession);
  EXPECT_EQ(verified.tally.requests_denied, 1U);
  EXPECT_THAT(verified.key, HasSubstr("ed25519:"));
}

TEST_F(VerifyTest, NoticesEveryByteThatIsFlipped) {
  auto const log = make_log(dir_.path(), 1, "20261128T000000Z-00000000");
  auto const content = test::read_file(log);
  std::size_t line = 1;
  for (std::size_t at = 0; at < content.size(); ++at) {
    auto flipped = content;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x01);
    test::write_file(log, flipped);
    auto const verified = verify_file(log.string(), Expect::ended).value();
    ASSERT_TRUE(verified.problem) << "byte " << at;
    ASSERT_EQ(verified.problem->line, line) << "byte " << at << ": " << verified.problem->what;
    if (content[at] == '\n') ++line;
  }
}

TEST_F(VerifyTest, NamesARecordThatWasRemoved) {
  for (std::size_t gone = 1; gone + 1 < good_.size(); ++gone) {
    auto lines = good_;
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(gone));
    bad(lines, gone + 1, Fault::removed);
  }
  bad({good_.begin() + 1, good_.end()}, 1, Fault::removed);
}

TEST_F(VerifyTest, NamesRecordsThatWereSwapped) {
  for (std::size_t first = 0; first + 1 < good_.size(); ++first) {
    auto lines = good_;
    std::swap(lines[first], lines[first + 1]);
    bad(lines, first + 1, Fault::reordered);
  }
}

TEST_F(VerifyTest, NamesARecordThatStandsTwice) {
  for (std::size_t twice = 0; twice + 1 < good_.size(); ++twice) {
    auto lines = good_;
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(twice), good_[twice]);
    bad(lines, twice + 2, Fault::reordered);
  }
}

TEST_F(VerifyTest, NoticesATailThatWasCutOff) {
  for (std::size_t kept = 0; kept < good_.size(); ++kept) {
    bad({good_.begin(), good_.begin() + static_cast<std::ptrdiff_t>(kept)}, kept + 1, Fault::cut_off);
  }
}

TEST_F(VerifyTest, NoticesALogThatEndsInsideARecord) {
  auto const content = test::read_file(log_);
  for (auto const kept : {content.size() - 1, content.size() - 2, content.size() - 100}) {
    test::write_file(log_, content.substr(0, kept));
    auto const verified = verify_file(log_.string(), Expect::ended).value();
    ASSERT_TRUE(verified.problem);
    EXPECT_EQ(verified.problem->fault, Fault::cut_off);
    EXPECT_EQ(verified.problem->seq, 7U);
  }
}

TEST_F(VerifyTest, NoticesWhatStandsBehindTheEnd) {
  for (auto const& extra : {good_[6], good_[1], std::string(), std::string("x")}) {
    auto lines = good_;
    lines.push_back(extra);
    bad(lines, 8, Fault::after_end);
  }
}

TEST_F(VerifyTest, NamesLinesThatAreNoRecords) {
  for (std::string const& garbage : {std::string(), std::string("x"), std::string("{}"), std::string(2000000, 'x')}) {
    auto lines = good_;
    lines[3] = garbage;
    bad(lines, 4, Fault::garbage);
  }
}

TEST_F(VerifyTest, NamesARecordOfAnotherSession) {
  auto lines = good_;
  lines[3] = other_session()[3];
  bad(lines, 4, Fault::mixed_sessions);
}

TEST_F(VerifyTest, NoticesAnEndFromAnotherSession) {
  auto lines = good_;
  lines.back() = other_session().back();
  bad(lines, 7, Fault::mixed_sessions);
}

TEST_F(VerifyTest, NamesARecordThatWasRewrittenWithAHashOfItsOwn) {
  auto lines = good_;
  lines[3] = rewritten(good_, 3, "a.example", "b.example")[3];
  bad(lines, 4, Fault::altered);
}

TEST_F(VerifyTest, NoticesALogThatWasRewrittenToItsEnd) {
  for (std::size_t first = 0; first < good_.size(); ++first) {
    bad(rewritten(good_, first, "2026-11-27T23", "2026-11-27T22"), 7, Fault::wrong_signature);
  }
}

TEST_F(VerifyTest, NoticesAnotherExitCodeInTheEnd) {
  bad(rewritten(good_, 6, "\"exit_code\":0", "\"exit_code\":1"), 7, Fault::wrong_signature);
}

TEST_F(VerifyTest, NoticesAnEndWithoutASignature) {
  auto const signature = std::string(signature_of(good_[6])->base64);
  bad(rewritten(good_, 6, ",\"signature\":\"" + signature + "\"", ""), 7, Fault::wrong_signature);
}

TEST_F(VerifyTest, NoticesACheckpointThatWasRewritten) {
  auto const long_log = lines_of(make_log(dir_.path(), 600, "20261129T000000Z-00000000"));
  bad(rewritten(long_log, 100, "a.example", "b.example"), 256, Fault::wrong_signature);
  bad(rewritten(long_log, 300, "a.example", "b.example"), 512, Fault::wrong_signature);
}

TEST_F(VerifyTest, WantsAStartWithAKey) {
  bad(rewritten(good_, 0, "\"key\":\"ed25519:", "\"key\":\"ed25518:"), 1, Fault::no_start);
  bad(rewritten(good_, 0, "\"type\":\"session.start\"", "\"type\":\"limit.hit\""), 1, Fault::no_start);
}

TEST_F(VerifyTest, RefusesASecondStart) {
  bad(rewritten(good_, 3, "\"type\":\"egress.request\"", "\"type\":\"session.start\""), 4, Fault::no_start);
}

TEST_F(VerifyTest, TakesALiveLogAsFarAsItGoes) {
  Lines const begun(good_.begin(), good_.begin() + 4);
  auto const verified = verify(begun, Expect::live);
  EXPECT_FALSE(verified.problem);
  EXPECT_EQ(verified.records, 4U);
  EXPECT_EQ(verified.signed_records, 0U);

  auto const content = test::read_file(log_);
  test::write_file(log_, content + good_[4].substr(0, 20));  // caught in the middle of a write
  EXPECT_FALSE(verify_file(log_.string(), Expect::live).value().problem);
  EXPECT_TRUE(verify({}, Expect::live).problem);
}

TEST_F(VerifyTest, SaysWhatItCannotRead) {
  EXPECT_EQ(verify_file((dir_ / "none").string(), Expect::ended).error().os_errno, ENOENT);
}

// A signature that is right over counts that are not: what a writer with an error would leave.
TEST_F(VerifyTest, NoticesCountsThatAreNotThoseOfTheLog) {
  auto const key = load_or_create_key((dir_ / "key").string()).value().signing_key().value();
  auto lines = good_;
  auto const prev = std::string(links_of(lines[6]).value().prev);
  auto text = std::string(signature_of(lines[6])->signed_part);
  text.replace(text.find("\"denied\":1"), 10, "\"denied\":0");
  text += std::string(kSignatureKey) + key.sign(signed_message(prev, text)) + "\"" + std::string(kPrevKey) + prev +
          "\"";
  lines[6] = text + std::string(kHashKey) + sha256_hex(text) + std::string(kLineEnd);
  bad(lines, 7, Fault::wrong_counts);
}

}  // namespace
}  // namespace sallyport::audit
