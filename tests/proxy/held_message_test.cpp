#include "proxy/held_message.hpp"

#include "tests/proxy/deflated.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::proxy {
namespace {

using Look = HeldMessage::Look;

/// Judges everything but the last `behind` bytes of what it has seen; forbids "secret", and replaces "mask".
class Behind final : public BodyInspector {
 public:
  explicit Behind(std::size_t behind) : behind_(behind) {}
  void feed(std::string_view content) override {
    seen_ += content;
    look();
  }
  void finish(std::vector<Field> const&) override {
    behind_ = 0;
    look();
  }
  std::uint64_t clear_up_to() const override { return clear_; }
  std::optional<Refusal> const& refusal() const override { return refusal_; }
  std::vector<Replacement> take_replacements() override { return std::exchange(replacements_, {}); }

 private:
  void look() {
    clear_ = std::max<std::uint64_t>(clear_, seen_.size() - std::min(behind_, seen_.size()));
    if (seen_.find("secret") != std::string::npos) refusal_ = proxy::refusal(403, "secret_found", "found");
    auto const at = seen_.find("mask");
    if (at != std::string::npos && !std::exchange(replaced_, true)) replacements_.push_back({at, "****"});
  }
  std::size_t behind_;
  std::string seen_;
  std::uint64_t clear_ = 0;
  bool replaced_ = false;
  std::optional<Refusal> refusal_;
  std::vector<Replacement> replacements_;
};

std::string take_ready(HeldMessage& message) {
  std::string const ready(message.ready());
  message.drop_ready();
  return ready;
}

void look_to_end(HeldMessage& message) {
  for (auto look = Look::again; look == Look::again;) {
    auto const looked = message.look();
    ASSERT_TRUE(looked) << looked.error().what;
    look = *looked;
  }
}

TEST(HeldMessage, GoesOnAsFarAsItWasJudged) {
  StreamTail tail;
  HeldMessage message(std::make_unique<Behind>(4), nullptr, MessageKind::binary, tail);
  message.take("0123456", false);
  look_to_end(message);
  EXPECT_EQ(take_ready(message), "012");
  EXPECT_EQ(take_ready(message), "");
  message.take("789", true);
  EXPECT_EQ(message.ready(), "") << "taken, and not looked at";
  look_to_end(message);
  EXPECT_TRUE(message.ready_to_end());
  EXPECT_EQ(take_ready(message), "3456789");
}

TEST(HeldMessage, NothingOfASecretGoesOnHoweverItIsCut) {
  StreamTail tail;
  HeldMessage message(std::make_unique<Behind>(6), nullptr, MessageKind::binary, tail);
  std::string sent;
  for (auto const piece : {"a sec", "re", "t b"}) {
    message.take(piece, false);
    look_to_end(message);
    sent += take_ready(message);
  }
  EXPECT_TRUE(message.refusal());
  EXPECT_EQ(sent, "a") << "what stood 6 bytes and more in front of the end of what was seen";
}

TEST(HeldMessage, AReplacementTakesThePlaceOfHeldBytes) {
  StreamTail tail;
  HeldMessage message(std::make_unique<Behind>(8), nullptr, MessageKind::binary, tail);
  message.take("under a mask, somebody", true);
  look_to_end(message);
  EXPECT_EQ(take_ready(message), "under a ****, somebody");
}

TEST(HeldMessage, AnEmptyMessageEnds) {
  StreamTail tail;
  HeldMessage message(std::make_unique<Behind>(4), nullptr, MessageKind::binary, tail);
  EXPECT_FALSE(message.ready_to_end());
  message.take("", true);
  look_to_end(message);
  EXPECT_TRUE(message.ready_to_end());
}

TEST(HeldMessage, ACompressedMessageIsSeenAsItsReceiverWillAndGoesOnAsItCame) {
  tests::Deflater deflater;
  WebSocketInflater inflater(WebSocketInflater::Context::kept);
  std::string plain;
  for (int i = 0; i < 40'000; ++i) plain += std::to_string(i * 7919) + ' ';
  auto const packed = deflater.message(plain);
  StreamTail tail;
  HeldMessage message(std::make_unique<Behind>(1000), &inflater, MessageKind::binary, tail);
  std::string sent;
  for (std::size_t at = 0; at < packed.size(); at += 500) {
    message.take(std::string_view(packed).substr(at, 500), at + 500 >= packed.size());
    look_to_end(message);
    EXPECT_LT(packed.substr(0, at + 500).size() - sent.size() - message.ready().size(), 6000u)
        << "holds no more than it must";
    sent += take_ready(message);
  }
  EXPECT_TRUE(message.ready_to_end());
  EXPECT_EQ(sent, packed);
}

TEST(HeldMessage, ASecretInACompressedMessageIsFoundWithItsContext) {
  tests::Deflater deflater;
  WebSocketInflater inflater(WebSocketInflater::Context::kept);
  StreamTail first_tail;
  HeldMessage first(nullptr, &inflater, MessageKind::binary, first_tail);
  first.take(deflater.message("sec-ret, ret, sec"), true);
  look_to_end(first);
  EXPECT_TRUE(first.ready_to_end()) << "nobody looks at this one";
  StreamTail second_tail;
  HeldMessage second(std::make_unique<Behind>(6), &inflater, MessageKind::binary, second_tail);
  second.take(deflater.message("the secret"), true);
  look_to_end(second);
  EXPECT_TRUE(second.refusal());
  EXPECT_EQ(second.ready(), "");
}

TEST(HeldMessage, ACompressedMessageIsRefusedWhereItWouldBeRedacted) {
  WebSocketInflater inflater(WebSocketInflater::Context::kept);
  StreamTail tail;
  HeldMessage message(std::make_unique<Behind>(6), &inflater, MessageKind::binary, tail);
  message.take(tests::Deflater().message("under a mask"), true);
  look_to_end(message);
  ASSERT_TRUE(message.refusal());
  EXPECT_EQ(message.refusal()->verdict.reason, policies::reason::kSecret);
}

TEST(HeldMessage, ABombIsLookedAtInPieces) {
  WebSocketInflater inflater(WebSocketInflater::Context::kept);
  StreamTail tail;
  HeldMessage message(nullptr, &inflater, MessageKind::binary, tail);
  message.take(tests::Deflater().message(std::string(1 << 20, '\0')), true);
  EXPECT_EQ(message.look().value(), Look::again);
  look_to_end(message);
  EXPECT_TRUE(message.ready_to_end());
}

TEST(HeldMessage, TextMustBeUtf8HoweverItIsCut) {
  StreamTail tail;
  HeldMessage good(nullptr, nullptr, MessageKind::text, tail);
  good.take("gr\xc3", false);
  look_to_end(good);
  good.take("\xbc\xc3\x9f", true);
  look_to_end(good);
  EXPECT_TRUE(good.ready_to_end());
  for (auto const* const text : {"gr\xfc", "cut \xc3"}) {
    HeldMessage bad(nullptr, nullptr, MessageKind::text, tail);
    bad.take(text, true);
    EXPECT_FALSE(bad.look()) << text;
    HeldMessage bytes(nullptr, nullptr, MessageKind::binary, tail);
    bytes.take(text, true);
    EXPECT_TRUE(bytes.look());
  }
}

TEST(HeldMessage, ItsPlainEndIsKeptForTheNext) {
  StreamTail tail;
  WebSocketInflater inflater(WebSocketInflater::Context::kept);
  HeldMessage message(nullptr, &inflater, MessageKind::text, tail);
  message.take(tests::Deflater().message("to be continued"), true);
  look_to_end(message);
  EXPECT_EQ(tail.text(), "to be continued");
}

}  // namespace
}  // namespace sallyport::proxy
