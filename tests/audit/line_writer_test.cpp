#include "audit/line_writer.hpp"

#include "audit/chain.hpp"
#include "audit/record.hpp"
#include "base/limits.hpp"
#include "tests/audit/sample_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json.hpp>

namespace sallyport::audit {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

KeyFile new_key() {
  auto const key = SigningKey::generate().value();
  return {key.public_text(), key.to_pem()};
}

/// A line without its line feed.
std::string_view text_of(std::string const& line) { return std::string_view(line).substr(0, line.size() - 1); }

class LineWriterTest : public ::testing::Test {
 protected:
  std::string add(Event const& event) {
    std::string line;
    EXPECT_TRUE(writer_.add(line, event, FakeClock::kStart));
    return line;
  }
  void refuses(Event const& event) {
    std::string line;
    EXPECT_FALSE(writer_.add(line, event, FakeClock::kStart));
  }

  KeyFile key_ = new_key();
  LineWriter writer_{std::string(kSampleSession), key_};
};

TEST_F(LineWriterTest, WritesOneLineInFixedOrder) {
  auto const line = add(sample_start());
  EXPECT_THAT(line, StartsWith(R"({"seq":1,"time":"2026-11-27T23:59:59.000250Z","session":"20261127T235959Z-5f0c21ab",)"
                               R"("type":"session.start","version":"0.1.0","key":")" +
                               key_.public_text + "\","));
  auto const links = links_of(text_of(line)).value();
  EXPECT_EQ(links.prev, kFirstPrev);
  EXPECT_EQ(line, std::string(links.hashed) + ",\"hash\":\"" + sha256_hex(links.hashed) + "\"}\n");
}

TEST_F(LineWriterTest, LinksEachLineToTheOneBefore) {
  auto const first = add(sample_start());
  auto const second = add(sample_request());
  EXPECT_THAT(second, StartsWith(R"({"seq":2,)"));
  EXPECT_EQ(links_of(text_of(second)).value().prev, links_of(text_of(first)).value().hash);
}

TEST_F(LineWriterTest, SignsCheckpointsAndTheEndWithAllThatCameBefore) {
  add(sample_start());
  std::string checkpoint;
  ASSERT_TRUE(writer_.add_checkpoint(checkpoint, FakeClock::kStart));
  EXPECT_THAT(checkpoint, HasSubstr(R"("type":"audit.checkpoint","records":1,"signature":")"));
  auto const end = add(SessionEnd{});
  auto const key = PublicKey::from_text(key_.public_text).value();
  for (auto const& line : {checkpoint, end}) {
    auto const text = text_of(line);
    auto const signature = signature_of(text);
    ASSERT_TRUE(signature);
    auto const message =
        "sallyport audit 1\n" + std::string(links_of(text).value().prev) + "\n" + std::string(signature->signed_part);
    EXPECT_TRUE(key.verifies(message, std::string(signature->base64)));
  }
}

TEST_F(LineWriterTest, CountsWhatCameBeforeTheEnd) {
  add(sample_start());
  add(sample_request("allow"));
  add(sample_request("deny"));
  EXPECT_EQ(writer_.unsigned_records(), 3U);
  EXPECT_THAT(add(SessionEnd{}), HasSubstr(R"("counts":{"denied":1,"egress.request":2,"session.start":1},"signature":)"));
  EXPECT_EQ(writer_.unsigned_records(), 0U);
}

TEST_F(LineWriterTest, BeginsWithTheStart) { refuses(sample_request()); }

TEST_F(LineWriterTest, StartsOnce) {
  add(sample_start());
  refuses(sample_start());
}

TEST_F(LineWriterTest, WritesNothingBehindTheEnd) {
  add(sample_start());
  add(SessionEnd{});
  refuses(sample_request());
  std::string line;
  EXPECT_FALSE(writer_.add_checkpoint(line, FakeClock::kStart));
}

TEST_F(LineWriterTest, BoundsALineWhateverTheRecordHolds) {
  add(sample_start());
  CommandExec exec;
  exec.exe = std::string(1000000, '\x01');
  exec.cwd = std::string(1000000, 'x');
  exec.argv = std::vector<std::string>(500000);
  exec.mismatch = std::string(1000000, '"');
  auto const line = add(exec);
  EXPECT_LE(line.size(), limits::kMaxAuditLineBytes);
  EXPECT_THAT(line, HasSubstr(R"(,"cut":true,"prev":")"));
}

// A57: one event is one line and one object, whatever its values hold.
TEST_F(LineWriterTest, NoValueCanForgeARecord) {
  add(sample_start());
  std::string const forged = "x\"}\n{\"seq\":3,\"type\":\"session.end\"}\n";
  for (auto const& hostile :
       {forged, std::string("\x1b[1A\x1b[2K"), std::string("\r"), std::string("\0", 1), std::string("\xff\xfe"),
        std::string("\u2028\u202e"), std::string(",\"hash\":\""), std::string("\\"), std::string("\\\"")}) {
    auto request = sample_request("deny");
    request.method = request.host = request.path = request.rule = request.reason = request.detail = request.sni = hostile;
    request.alpn = request.addresses = {hostile, hostile};
    request.process = Process{1, hostile, {hostile, hostile}, {}};
    auto const line = add(request);
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    EXPECT_EQ(std::count_if(line.begin(), line.end() - 1, [](char c) { return static_cast<unsigned char>(c) < 0x20; }), 0);
    auto const record = parse_record(text_of(line));
    ASSERT_TRUE(record) << record.error().what;
    EXPECT_EQ(text_in(*record, "verdict"), "deny");
    EXPECT_EQ(text_in(*record, "type"), "egress.request");
    EXPECT_TRUE(links_of(text_of(line)));
  }
}

TEST(Rfc3339, WritesUtcWithMicroseconds) {
  using std::chrono::microseconds;
  using Time = std::chrono::system_clock::time_point;
  EXPECT_EQ(rfc3339(Time(microseconds(0))), "1970-01-01T00:00:00.000000Z");
  EXPECT_EQ(rfc3339(Time(microseconds(1))), "1970-01-01T00:00:00.000001Z");
  EXPECT_EQ(rfc3339(Time(microseconds(-1))), "1969-12-31T23:59:59.999999Z");
  EXPECT_EQ(rfc3339(FakeClock::kStart), "2026-11-27T23:59:59.000250Z");
}

}  // namespace
}  // namespace sallyport::audit
