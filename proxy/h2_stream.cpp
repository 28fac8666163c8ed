#include "proxy/h2_stream.hpp"

#include "base/check.hpp"
#include "base/defer.hpp"

#include <utility>

namespace sallyport::proxy {

H2Stream::~H2Stream() {
  if (state_) session_->release(*state_);
}

awaitable<Result<std::string_view>> H2Stream::read_body() {
  auto& in = state_->in;
  session_->consume(*state_, taken_.size());
  taken_.clear();
  while (in.body.empty() && !in.ended && !state_->cut) co_await state_->readable.wait();
  if (in.body.empty() && !in.ended) co_return *state_->cut;
  taken_.swap(in.body);
  co_return std::string_view(taken_);
}

awaitable<Result<void>> H2Stream::write_body(std::string_view bytes, EndStream end) {
  auto& out = state_->out;
  if (state_->cut) co_return *state_->cut;
  check(out.begun && !out.finished && !out.last, "a body comes behind its head and in front of its end");
  out.pending = bytes;
  out.last = end == EndStream::yes;
  Defer const forget([&out] { out.pending = {}; });  // a cancelled write leaves nothing that points to its bytes
  session_->resume(*state_);
  co_return co_await wait_for_window();
}

awaitable<Result<void>> H2Stream::finish(std::vector<Field> trailers) {
  if (state_->out.finished && trailers.empty()) co_return Result<void>();
  state_->out.trailers = std::move(trailers);
  co_return co_await write_body({}, EndStream::yes);
}

awaitable<Result<void>> H2Stream::wait_for_window() {
  auto const& out = state_->out;
  auto const timeout = session_->inbox().bounds().stall_timeout;
  while ((!out.pending.empty() || (out.last && !out.finished)) && !state_->cut) {
    auto const before = out.pending.size();
    auto const wake = co_await state_->writable.wait_for(timeout);
    if (wake == Wakeup::Wake::notified || out.pending.size() != before || out.finished) continue;
    reset(NGHTTP2_FLOW_CONTROL_ERROR);
    co_return Error{Code::limit, 0, "HTTP/2: the peer took no bytes for too long"};
  }
  if (!out.pending.empty() || (out.last && !out.finished)) co_return *state_->cut;
  co_return Result<void>();
}

void H2Stream::reset(std::uint32_t code) { session_->reset(*state_, code); }

awaitable<void> H2Stream::wait_until_cut() {
  while (!state_->cut) co_await state_->cut_off.wait();
}

}  // namespace sallyport::proxy
