#include "proxy/inspected_body.hpp"

#include "tests/proxy/stream_pair.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>

namespace sallyport::tests {
namespace {

using proxy::BodyPiece;
using proxy::InspectedBody;

/// Pieces that are there at once.
class Pieces final : public proxy::BodySource {
 public:
  explicit Pieces(std::deque<std::string> pieces) : pieces_(std::move(pieces)) {}
  awaitable<Result<BodyPiece>> read() override {
    current_ = pieces_.front();
    pieces_.pop_front();
    ++reads;
    co_return BodyPiece{current_, pieces_.empty()};
  }
  std::vector<proxy::Field> const& trailers() const override { return trailers_; }
  int reads = 0;

 private:
  std::deque<std::string> pieces_;
  std::string current_;
  std::vector<proxy::Field> trailers_;
};

/// Judges everything but the last `behind` bytes of what it has seen; forbids "secret", and replaces "mask".
class Behind final : public proxy::BodyInspector {
 public:
  explicit Behind(std::size_t behind) : behind_(behind) {}
  void feed(std::string_view content) override {
    seen_ += content;
    look();
  }
  void finish(std::vector<proxy::Field> const&) override {
    behind_ = 0;
    look();
  }
  std::uint64_t clear_up_to() const override { return clear_; }
  std::optional<proxy::Refusal> const& refusal() const override { return refusal_; }
  std::vector<proxy::Replacement> take_replacements() override { return std::exchange(replacements_, {}); }

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
  std::optional<proxy::Refusal> refusal_;
  std::vector<proxy::Replacement> replacements_;
};

struct Sent {
  std::string content;
  std::optional<Code> error;
};

awaitable<Sent> read_all(InspectedBody& body) {
  Sent sent;
  for (bool last = false; !last;) {
    auto piece = co_await body.read();
    if (!piece) {
      sent.error = piece.error().code;
      break;
    }
    sent.content += piece->content;
    last = piece->last;
  }
  co_return sent;
}

Sent sent_of(std::deque<std::string> pieces, std::size_t behind) {
  asio::io_context io;
  Pieces source(std::move(pieces));
  InspectedBody body(source, std::make_unique<Behind>(behind));
  return run(io, read_all(body));
}

TEST(InspectedBody, PassesEverythingThatIsClear) {
  for (std::size_t behind : {0U, 1U, 5U, 100U}) {
    auto const sent = sent_of({"ab", "", "cde", "f"}, behind);
    EXPECT_EQ(sent.content, "abcdef") << behind;
    EXPECT_EQ(sent.error, std::nullopt);
  }
  EXPECT_EQ(sent_of({""}, 5).content, "");
}

TEST(InspectedBody, NothingOfASecretIsSentHoweverItIsCut) {
  std::string const text = "before secret";
  for (std::size_t cut = 1; cut < text.size(); ++cut) {
    auto const sent = sent_of({text.substr(0, cut), text.substr(cut), "after"}, 6);
    EXPECT_EQ(sent.error, Code::denied) << cut;
    EXPECT_EQ(sent.content.find('s'), std::string::npos) << cut << ": " << sent.content;
  }
}

TEST(InspectedBody, WhatIsReplacedIsSentReplaced) {
  std::string const text = "a mask and more text behind it";
  for (std::size_t cut = 1; cut < text.size(); ++cut) {
    EXPECT_EQ(sent_of({text.substr(0, cut), text.substr(cut)}, 8).content, "a **** and more text behind it") << cut;
  }
}

TEST(InspectedBody, PrimingReadsNoFurtherThanItMust) {
  asio::io_context io;
  Pieces source({"abcdef", "ghi", "jkl"});
  InspectedBody body(source, std::make_unique<Behind>(4));
  EXPECT_TRUE(run(io, body.prime(std::chrono::seconds(10))));
  EXPECT_EQ(source.reads, 1);
  EXPECT_EQ(run(io, read_all(body)).content, "abcdefghijkl");
}

TEST(InspectedBody, PrimingFindsWhatIsWithinReach) {
  asio::io_context io;
  Pieces source({"a sec", "ret", "!"});
  InspectedBody body(source, std::make_unique<Behind>(100));
  EXPECT_TRUE(run(io, body.prime(std::chrono::seconds(10))));
  ASSERT_TRUE(body.refusal());
  EXPECT_EQ(body.refusal()->verdict.reason, "secret_found");
  EXPECT_EQ(source.reads, 2) << "what is refused is not read to its end";
}

}  // namespace
}  // namespace sallyport::tests
