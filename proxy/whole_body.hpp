#pragma once
// A body that is read to its end before any of it goes on, because something in front of it depends on all of it. Bounded: a longer one is
// an error. Thread: its worker's.

#include "proxy/message_body.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

class WholeBody final : public BodySource {
 public:
  /// Lifetime: `from` outlives it.
  explicit WholeBody(BodySource& from) : from_(from) {}

  /// Reads everything. Code::unsupported when there is more than `max_bytes`; Code::limit when nothing comes for `idle`. REQUIRES: before read().
  awaitable<Result<void>> take_in(std::size_t max_bytes, std::chrono::milliseconds idle);
  std::string_view content() const { return content_; }

  awaitable<Result<BodyPiece>> read() override { co_return BodyPiece{content_, true}; }
  bool is_ready() const override { return true; }
  std::vector<Field> const& trailers() const override { return from_.trailers(); }

 private:
  BodySource& from_;
  std::string content_;
};

}  // namespace sallyport::proxy
