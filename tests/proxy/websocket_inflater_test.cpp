#include "proxy/websocket_inflater.hpp"

#include "base/limits.hpp"
#include "tests/proxy/deflated.hpp"

namespace sallyport::proxy {
namespace {

using Context = WebSocketInflater::Context;

Result<std::string> inflated(WebSocketInflater& inflater, std::string packed) {
  packed += WebSocketInflater::tail();
  std::string plain;
  for (std::string_view rest = packed;;) {
    auto const step = inflater.step(rest);
    if (!step) return step.error();
    EXPECT_LE(step->plain.size(), limits::kRelayBlockBytes);
    plain += step->plain;
    rest.remove_prefix(step->consumed);
    if (!step->more) break;
  }
  inflater.end_message();
  return plain;
}

TEST(WebSocketInflater, MessagesMayReferToThoseBeforeThem) {
  tests::Deflater deflater;
  WebSocketInflater inflater(Context::kept);
  std::string const text = "the same words again and again";
  auto const first = deflater.message(text), second = deflater.message(text);
  EXPECT_LT(second.size(), first.size());
  EXPECT_EQ(inflated(inflater, first).value(), text);
  EXPECT_EQ(inflated(inflater, second).value(), text);
  WebSocketInflater forgetful(Context::per_message);
  EXPECT_EQ(inflated(forgetful, first).value(), text);
  EXPECT_FALSE(inflated(forgetful, second));
}

// RFC 7692 section 7.2.3.1 and 7.2.3.6.
TEST(WebSocketInflater, ReadsTheExamplesOfTheRfc) {
  WebSocketInflater inflater(Context::kept);
  EXPECT_EQ(inflated(inflater, "\xf2\x48\xcd\xc9\xc9\x07" + std::string(1, '\0')).value(), "Hello");
  EXPECT_EQ(inflated(inflater, "\xf2" + std::string(1, '\0') + "\x11" + std::string(2, '\0')).value(), "Hello");
  EXPECT_EQ(inflated(inflater, std::string(1, '\0')).value(), "") << "an empty message";
}

TEST(WebSocketInflater, GivesABombInBoundedPieces) {
  tests::Deflater deflater;
  WebSocketInflater inflater(Context::kept);
  std::string const zeros(8 * 1024 * 1024, '\0');
  EXPECT_EQ(inflated(inflater, deflater.message(zeros)).value(), zeros);
}

TEST(WebSocketInflater, RefusesWhatIsNoDeflateAndWhatEndsTheStream) {
  WebSocketInflater inflater(Context::kept);
  EXPECT_FALSE(inflated(inflater, "\xff\xff\xff\xff"));
  WebSocketInflater other(Context::kept);
  EXPECT_FALSE(inflated(other, tests::Deflater().message("the end", Z_FINISH)));
}

}  // namespace
}  // namespace sallyport::proxy
