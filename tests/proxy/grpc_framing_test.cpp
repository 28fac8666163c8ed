#include "proxy/grpc_framing.hpp"

#include "tests/proxy/grpc_messages.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sallyport::proxy {
namespace {

using tests::grpc_message;

/// Messages as "flag:payload", how ever the body is cut into pieces of `size` bytes.
std::vector<std::string> messages_of(std::string_view body, std::size_t size, bool& whole) {
  GrpcFraming framing;
  std::vector<std::string> found;
  while (!body.empty()) {
    auto piece = body.substr(0, size);
    body.remove_prefix(piece.size());
    for (;;) {
      auto const step = framing.next(piece);
      if (std::holds_alternative<GrpcFraming::NeedMore>(step)) break;
      if (std::holds_alternative<Error>(step)) return {"error"};
      if (auto const* begin = std::get_if<GrpcFraming::Begin>(&step)) found.push_back(begin->packing == GrpcPacking::plain ? "0:" : "1:");
      if (auto const* payload = std::get_if<GrpcFraming::Payload>(&step)) found.back() += payload->bytes;
    }
  }
  whole = framing.between_messages();
  return found;
}

TEST(GrpcFraming, EveryCutGivesTheSameMessages) {
  auto const body = grpc_message("hello") + grpc_message("") + grpc_message("packed", 1) + grpc_message(std::string(300, 'x'));
  for (std::size_t size = 1; size <= body.size(); ++size) {
    bool whole = false;
    EXPECT_EQ(messages_of(body, size, whole), (std::vector<std::string>{"0:hello", "0:", "1:packed", "0:" + std::string(300, 'x')}));
    EXPECT_TRUE(whole);
  }
}

TEST(GrpcFraming, BodyThatEndsInsideAMessageIsNotWhole) {
  for (auto const& body : {std::string(1, '\0'), tests::grpc_prefix(5), tests::grpc_prefix(5) + "hell"}) {
    bool whole = true;
    messages_of(body, 100, whole);
    EXPECT_FALSE(whole);
  }
}

TEST(GrpcFraming, UnknownFlagIsAnError) {
  bool whole = false;
  for (char const flag : {'\2', '\x80', '{'}) EXPECT_EQ(messages_of(std::string(1, flag), 100, whole), std::vector<std::string>{"error"});
}

TEST(GrpcFraming, GreatestLengthIsRead) {
  GrpcFraming framing;
  auto const prefix = tests::grpc_prefix(0xfffffffe);
  std::string_view bytes = prefix;
  EXPECT_EQ(std::get<GrpcFraming::Begin>(framing.next(bytes)).length, 0xfffffffeU);
}

TEST(GrpcFraming, TypeOfAGrpcMessage) {
  for (auto const* type : {"application/grpc", "application/grpc+proto", "Application/gRPC; charset=x"}) EXPECT_TRUE(is_grpc_type(type)) << type;
  for (auto const* type : {"", "application/grpc-web", "application/json", "text/application/grpc"}) EXPECT_FALSE(is_grpc_type(type)) << type;
}

}  // namespace
}  // namespace sallyport::proxy
