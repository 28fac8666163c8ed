#include "proxy/dns_message.hpp"

#include "base/limits.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sallyport::proxy::dns {
namespace {

using namespace std::string_literals;
using policies::IpAddress;

std::string const kName =
    "\x01"
    "A"
    "\x07"
    "eXample"
    "\x00"s;
std::string const kQuestionA = kName + "\x00\x01\x00\x01"s;
std::string const kOpt = "\x00\x00\x29\x04\xd0\x00\x00\x00\x00\x00\x00"s;

/// A query with id 0x1234; `flags` and `counts` as on the wire.
std::string query(std::string_view sections, std::string_view flags = {"\x01\x00", 2},
                  std::string_view counts = {"\x00\x01\x00\x00\x00\x00\x00\x00", 8}) {
  return "\x12\x34"s + std::string(flags) + std::string(counts) + std::string(sections);
}

std::string const kOneAdditional = "\x00\x01\x00\x00\x00\x00\x00\x01"s;
std::string const kTwoAdditionals = "\x00\x01\x00\x00\x00\x00\x00\x02"s;

Question ok(std::string const& message) {
  for (std::size_t cut = 0; cut < message.size(); ++cut) EXPECT_FALSE(parse_question(message.substr(0, cut))) << cut;
  auto const question = parse_question(message);
  EXPECT_TRUE(question) << question.error().what;
  return question ? *question : Question{};
}

void bad(std::string const& message, Code code = Code::invalid) {
  auto const question = parse_question(message);
  ASSERT_FALSE(question) << question->name;
  EXPECT_EQ(question.error().code, code) << question.error().what;
}

TEST(DnsMessage, ReadsOneQuestion) {
  auto const question = ok(query(kQuestionA));
  EXPECT_EQ(question.id, 0x1234);
  EXPECT_TRUE(question.recursion_desired);
  EXPECT_EQ(question.name, "A.eXample");
  EXPECT_EQ(question.qtype, kTypeA);
  EXPECT_EQ(question.qclass, 1);
  EXPECT_EQ(question.wire, kQuestionA);
  EXPECT_FALSE(question.edns);
}

TEST(DnsMessage, ReadsEdnsAndTheRootAndRawBytes) {
  EXPECT_TRUE(ok(query(kQuestionA + kOpt, "\x01\x20", kOneAdditional)).edns);
  EXPECT_EQ(ok(query("\x00\x00\x02\x00\x01"s)).name, "");
  EXPECT_EQ(ok(query("\x03"
                     "a\0\xff"
                     "\x00\x00\x01\x00\x01"s))
                .name,
            "a\0\xff"s);
  EXPECT_FALSE(ok(query(kQuestionA, {"\x00\x00", 2})).recursion_desired);
}

TEST(DnsMessage, RefusesWhatIsNotOnePlainQuestion) {
  bad("");
  bad(query(kQuestionA, {"\x81\x00", 2}));                     // a response
  bad(query(kQuestionA, {"\x29\x00", 2}), Code::unsupported);  // UPDATE
  bad(query(kQuestionA, {"\x11\x00", 2}), Code::unsupported);  // STATUS
  bad(query("", {"\x01\x00", 2}, {"\x00\x00\x00\x00\x00\x00\x00\x00", 8}));
  bad(query(kQuestionA + kQuestionA, {"\x01\x00", 2}, {"\x00\x02\x00\x00\x00\x00\x00\x00", 8}));
  bad(query(kQuestionA, {"\x01\x00", 2}, {"\x00\x01\x00\x01\x00\x00\x00\x00", 8}));
  bad(query(kQuestionA, {"\x01\x00", 2}, {"\x00\x01\x00\x00\x00\x01\x00\x00", 8}));
  bad(query(kQuestionA + "x"));
  bad(query(kQuestionA, {"\x01\x00", 2}, {"\x00\x01\x00\x00\x00\x00\xff\xff", 8}));
  bad(query(kQuestionA + kOpt + kOpt, {"\x01\x00", 2}, kTwoAdditionals));
  bad(query(kQuestionA +
                "\x01"
                "a" +
                kOpt,
            {"\x01\x00", 2}, kOneAdditional));
  bad(std::string(limits::kMaxDnsMessageBytes + 1, '\0'), Code::limit);
}

TEST(DnsMessage, RefusesBadNames) {
  std::string const tail = "\x00\x01\x00\x01"s;
  bad(query("\xc0\x0c" + tail));  // points to itself
  bad(
      query("\x01"
            "a"
            "\xc0\x0c" +
            tail));
  bad(query("\x40" + std::string(64, 'a') + "\x00"s + tail));  // label of 64 bytes
  bad(
      query("\x80"
            "a"
            "\x00"s +
            tail));
  bad(
      query("\x03"
            "a.b"
            "\x00"s +
            tail));
  std::string four_labels;
  for (int i = 0; i < 4; ++i) four_labels += "\x3f" + std::string(63, 'a');
  bad(query(four_labels + "\x00"s + tail));                                                // 257 bytes
  ok(query(four_labels.substr(0, 192) + "\x3d" + std::string(61, 'b') + "\x00"s + tail));  // 255 bytes
}

TEST(DnsMessage, AnswersWithTheQuestionByteForByte) {
  auto const question = ok(query(kQuestionA));
  EXPECT_EQ(answer(question, Rcode::no_error, IpAddress::from_v4({198, 18, 0, 1}), 60),
            "\x12\x34\x81\x80\x00\x01\x00\x01\x00\x00\x00\x00"s + kQuestionA +
                "\xc0\x0c\x00\x01\x00\x01\x00\x00\x00\x3c\x00\x04\xc6\x12\x00\x01"s);
  EXPECT_EQ(answer(question, Rcode::name_error, std::nullopt, 60),
            "\x12\x34\x81\x83\x00\x01\x00\x00\x00\x00\x00\x00"s + kQuestionA);
}

TEST(DnsMessage, AnswersIpv6AndEdns) {
  auto const question = ok(query(kName + "\x00\x1c\x00\x01"s + kOpt, {"\x00\x00", 2}, kOneAdditional));
  IpAddress const address = IpAddress::from_v6({0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
  EXPECT_EQ(answer(question, Rcode::no_error, address, 0x01020304),
            "\x12\x34\x80\x80\x00\x01\x00\x01\x00\x00\x00\x01"s + kName + "\x00\x1c\x00\x01"s +
                "\xc0\x0c\x00\x1c\x00\x01\x01\x02\x03\x04\x00\x10\xfd\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01"s +
                "\x00\x00\x29\x04\xd0\x00\x00\x00\x00\x00\x00"s);
}

TEST(DnsMessage, AnswersWhatItCannotReadByItsId) {
  EXPECT_EQ(query_id(query("")), 0x1234);
  EXPECT_FALSE(query_id(query("", {"\x81\x00", 2})));  // two stubs must not answer each other
  EXPECT_FALSE(query_id("\x12\x34\x01"));
  EXPECT_EQ(error_answer(0x1234, Rcode::form_error), "\x12\x34\x80\x01\x00\x00\x00\x00\x00\x00\x00\x00"s);
}

TEST(DnsMessage, NamesTypes) {
  EXPECT_EQ(type_name(1), "A");
  EXPECT_EQ(type_name(28), "AAAA");
  EXPECT_EQ(type_name(64), "SVCB");
  EXPECT_EQ(type_name(65), "HTTPS");
  EXPECT_EQ(type_name(65534), "TYPE65534");
}

}  // namespace
}  // namespace sallyport::proxy::dns
