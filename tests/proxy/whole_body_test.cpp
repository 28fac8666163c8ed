#include "proxy/whole_body.hpp"

#include "tests/proxy/stream_pair.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sallyport::tests {
namespace {

using namespace std::chrono_literals;

/// These pieces, and no end behind them when `endless`.
class Pieces final : public proxy::BodySource {
 public:
  Pieces(std::vector<std::string> pieces, bool endless = false) : pieces_(std::move(pieces)), endless_(endless) {}
  awaitable<Result<proxy::BodyPiece>> read() override {
    if (next_ == pieces_.size()) co_await sleep_for(60s);
    auto const& piece = pieces_.at(next_++);
    co_return proxy::BodyPiece{piece, !endless_ && next_ == pieces_.size()};
  }
  std::vector<proxy::Field> const& trailers() const override { return trailers_; }

 private:
  std::vector<std::string> pieces_;
  bool endless_;
  std::size_t next_ = 0;
  std::vector<proxy::Field> trailers_{{"X-End", "1"}};
};

awaitable<std::string> read_whole(proxy::BodySource& from, std::size_t max_bytes, std::chrono::milliseconds idle) {
  proxy::WholeBody body(from);
  auto const taken = co_await body.take_in(max_bytes, idle);
  if (!taken) co_return taken.error().what;
  auto const piece = co_await body.read();
  co_return std::string(piece->content) + (piece->last ? "." : "") + body.trailers().front().name;
}

/// What is read behind take_in(), or its error.
std::string whole(Pieces pieces, std::size_t max_bytes, std::chrono::milliseconds idle = 10s) {
  asio::io_context io(1);
  return run(io, read_whole(pieces, max_bytes, idle));
}

TEST(WholeBody, IsReadToItsEndAndGivenInOnePiece) { EXPECT_EQ(whole(Pieces({"ab", "", "cd"}), 4), "abcd.X-End"); }

TEST(WholeBody, LongerThanItMayBeIsAnError) { EXPECT_EQ(whole(Pieces({"ab", "cde"}), 4), "is longer than 4 bytes"); }

TEST(WholeBody, SenderThatSaysNothingMoreIsAnError) { EXPECT_EQ(whole(Pieces({"ab"}, true), 4, 20ms), "body: no answer in time"); }

}  // namespace
}  // namespace sallyport::tests
