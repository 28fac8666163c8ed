#include "dlp/stream_scan.hpp"

#include "base/check.hpp"
#include "dlp/limits.hpp"
#include "dlp/packed_stream.hpp"

#include <algorithm>

namespace sallyport::dlp {

StreamScan::StreamScan(Shared const& shared, Origin origin)
    : shared_(shared), origin_(std::move(origin)), scan_(shared.rules, shared.known, shared.budget, shared.log) {}

StreamScan::~StreamScan() = default;

void StreamScan::expect(Coding coding) {
  check(base_ == 0 && buffer_.empty(), "a coding is declared before the first byte");
  packed_ = std::make_unique<PackedStream>(shared_, OpenStream{.coding = coding}, origin_.within({}, coding));
}

void StreamScan::feed(std::string_view bytes) {
  // A large piece is taken in as blocks, so that the buffer stays small.
  while (!bytes.empty()) {
    auto piece = bytes.substr(0, kBlockBytes);
    bytes.remove_prefix(piece.size());
    buffer_ += piece;
    while (buffer_.size() - next_ >= kBlockBytes + kLookAhead) judge_block(kBlockBytes, next_ + kBlockBytes + kLookAhead);
  }
}

void StreamScan::finish() {
  while (next_ < buffer_.size()) {
    auto size = std::min(kBlockBytes, buffer_.size() - next_);
    judge_block(size, std::min(buffer_.size(), next_ + kBlockBytes + kLookAhead));
  }
  if (packed_) packed_->finish();
  packed_.reset();
  marks_.clear();
}

/// Judges `size` bytes from next_ on, seeing the buffer up to `visible`.
void StreamScan::judge_block(std::size_t size, std::size_t visible) {
  auto text = std::string_view(buffer_).substr(0, visible);
  Origin origin = origin_;
  if (origin.depth() == 0) {
    origin.base += base_;
    shared_.budget.add_input(size);
  }
  Span block{next_, next_ + size};
  scan_.scan(text, block, origin);
  follow_streams(block, visible);
  next_ = block.end;
  if (next_ > kLookBehind) {
    auto drop = next_ - kLookBehind;
    buffer_.erase(0, drop);
    base_ += drop;
    next_ -= drop;
  }
}

/// Gives the stream that is being followed its share of this block, or begins to follow one that starts here.
void StreamScan::follow_streams(Span block, std::size_t visible) {
  auto text = std::string_view(buffer_).substr(0, visible);
  if (packed_) {
    auto from = static_cast<std::size_t>(std::max(packed_fed_, base_) - base_);
    return feed_packed(text.substr(std::min(from, text.size())));
  }
  for (auto const& stream : scan_.open_streams()) {
    auto start = stream.position + stream.skip_digits + stream.skip_bytes / 3 * 4;
    if (start < block.begin || start >= block.end || origin_.depth() + 2 > kMaxDepth) continue;
    Origin inner = origin_.within({stream.position, stream.position}, stream.coding);
    if (origin_.depth() == 0) inner.base += base_;
    if (stream.in_base64) inner.codings.insert(inner.codings.end() - 1, Coding::base64);
    packed_ = std::make_unique<PackedStream>(shared_, stream, std::move(inner));
    packed_fed_ = offset_of(stream.position);
    return feed_packed(text.substr(stream.position));
  }
}

void StreamScan::feed_packed(std::string_view bytes) {
  marks_.push_back({packed_fed_, packed_->fed_inside()});
  auto state = packed_->feed(bytes);
  packed_fed_ += bytes.size();
  while (marks_.size() > 1 && marks_[1].inside <= packed_->clear_inside()) marks_.pop_front();
  if (state == StreamState::open) return;
  packed_->finish();
  packed_.reset();
  marks_.clear();
}

std::uint64_t StreamScan::clear_up_to() const {
  auto judged = offset_of(next_);
  return packed_ && !marks_.empty() ? std::min(judged, marks_.front().here) : judged;
}

}  // namespace sallyport::dlp
