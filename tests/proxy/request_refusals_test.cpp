#include "proxy/request_refusals.hpp"

#include <gtest/gtest.h>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;

TEST(RequestRefusals, OfABodySayWhatWasWrongWithIt) {
  auto const late = no_body(Error{Code::limit, 0, "body: no answer in time"});
  EXPECT_EQ(late.status, 408);
  EXPECT_EQ(late.verdict.reason, reason::kTimeout);
  auto const large = no_body(Error{Code::unsupported, 0, "is longer than 4 bytes"});
  EXPECT_EQ(large.status, 413);
  EXPECT_EQ(large.verdict.hint, "request body: is longer than 4 bytes, and its signature is over all of it");
  EXPECT_EQ(no_body(Error{Code::invalid, 0, "chunk"}).status, 400);
}

TEST(RequestRefusals, OfAnAnswerThatDidNotComeSayWhoseFaultItIs) {
  ExchangeEnd end;
  auto const because = [&](Fault fault, AnswerFrom from = AnswerFrom::server) {
    end.fault = fault;
    auto const why = no_answer(end, from);
    return std::to_string(why.status) + " " + why.verdict.reason;
  };
  EXPECT_EQ(because(Fault::policy), "403 " + std::string(reason::kPolicyChanged));
  EXPECT_EQ(because(Fault::idle), "504 " + std::string(reason::kTimeout));
  EXPECT_EQ(because(Fault::client), "400 " + std::string(reason::kBadRequest));
  EXPECT_EQ(because(Fault::upstream), "502 " + std::string(reason::kConnectFailed));
  EXPECT_EQ(because(Fault::upstream, AnswerFrom::upstream_proxy), "502 " + std::string(reason::kUpstreamProxy));
}

TEST(RequestRefusals, TellWhatToDo) {
  EXPECT_NE(signed_chunks().verdict.hint.find("payload_signing_enabled"), std::string::npos);
  EXPECT_NE(no_grpc(policies::CanonicalHost::from("a.example").value()).verdict.hint.find("a.example was reached in HTTP/1.1"), std::string::npos);
}

}  // namespace
}  // namespace sallyport::proxy
