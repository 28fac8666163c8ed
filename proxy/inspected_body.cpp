#include "proxy/inspected_body.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::proxy {

std::size_t InspectedBody::ready() const {
  return static_cast<std::size_t>(std::min<std::uint64_t>(inspector_->clear_up_to() - sent_, held_.size()));
}

void InspectedBody::replace(Replacement const& replacement) {
  check(replacement.offset >= sent_ && replacement.offset - sent_ + replacement.text.size() <= held_.size(),
        "what is replaced is held");
  held_.replace(static_cast<std::size_t>(replacement.offset - sent_), replacement.text.size(), replacement.text);
}

awaitable<Result<void>> InspectedBody::take_in() {
  auto piece = co_await from_.read();
  if (!piece) co_return piece.error();
  held_.append(piece->content);
  inspector_->feed(piece->content);
  whole_ = piece->last;
  if (whole_) inspector_->finish(from_.trailers());
  for (auto const& replacement : inspector_->take_replacements()) replace(replacement);
  co_return Result<void>();
}

awaitable<Result<BodyPiece>> InspectedBody::read() {
  held_.erase(0, given_);
  sent_ += std::exchange(given_, 0);
  if (ready() == 0 && !whole_ && !refusal()) {
    auto taken = co_await take_in();
    if (!taken) co_return taken.error();
  }
  if (refusal()) co_return Error{Code::denied, 0, "the body holds what must not leave"};
  given_ = ready();
  co_return BodyPiece{std::string_view(held_).substr(0, given_), whole_ && given_ == held_.size()};
}

awaitable<Result<void>> InspectedBody::prime(std::chrono::milliseconds idle) {
  while (ready() == 0 && !whole_ && !refusal()) {
    auto taken = co_await with_deadline(idle, "body", take_in());
    if (!taken) co_return taken;
  }
  co_return Result<void>();
}

}  // namespace sallyport::proxy
