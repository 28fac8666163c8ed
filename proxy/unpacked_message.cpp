#include "proxy/unpacked_message.hpp"

#include "dlp/limits.hpp"

#include <span>

namespace sallyport::proxy {

UnpackedMessage::UnpackedMessage(dlp::Coding coding) : decompressor_(dlp::make_decompressor(coding)), chunk_(dlp::kUnpackChunk, '\0') {}

UnpackedMessage::Unpacked UnpackedMessage::feed(std::string_view packed, std::function<void(std::string_view)> const& plain) {
  packed_ += packed.size();
  budget_.add_input(packed.size());
  while (state_ == dlp::StreamState::open) {
    auto const step = decompressor_->step(packed, std::span(chunk_));
    packed.remove_prefix(step.consumed);
    plain_ += step.produced;
    state_ = step.state;
    if (!budget_.spend(step.produced)) return Unpacked::too_large;
    if (step.produced > 0) plain(std::string_view(chunk_).substr(0, step.produced));
    bool const used_up = step.produced < chunk_.size() && (packed.empty() || step.consumed == 0);
    if (used_up) break;
  }
  marks_.push_back({packed_, plain_});
  return state_ == dlp::StreamState::failed || !packed.empty() ? Unpacked::broken : Unpacked::good;
}

std::uint64_t UnpackedMessage::packed_up_to(std::uint64_t plain) {
  for (; !marks_.empty() && marks_.front().plain <= plain; marks_.pop_front()) clear_ = marks_.front().packed;
  return clear_;
}

}  // namespace sallyport::proxy
