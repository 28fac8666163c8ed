#include "proxy/whole_body.hpp"

#include "proxy/deadline.hpp"

namespace sallyport::proxy {

awaitable<Result<void>> WholeBody::take_in(std::size_t max_bytes, std::chrono::milliseconds idle) {
  for (;;) {
    auto const piece = co_await with_deadline(idle, "body", from_.read());
    if (!piece) co_return piece.error();
    if (piece->content.size() > max_bytes - content_.size()) co_return Error{Code::unsupported, 0, "is longer than " + std::to_string(max_bytes) + " bytes"};
    content_ += piece->content;
    if (piece->last) co_return Result<void>();
  }
}

}  // namespace sallyport::proxy
