#pragma once
// A body that an inspector sees before it goes on. What is not judged yet is held, which is never more than an inspector looks ahead.

#include "proxy/inspection.hpp"
#include "proxy/message_body.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace sallyport::proxy {

class InspectedBody final : public BodySource {
 public:
  /// Lifetime: `from` outlives it. REQUIRES: `inspector` is not null.
  InspectedBody(BodySource& from, std::unique_ptr<BodyInspector> inspector) : from_(from), inspector_(std::move(inspector)) {}

  /// Code::denied when refusal() is set. Content of pieces may be empty while the inspector still looks.
  awaitable<Result<BodyPiece>> read() override;
  bool is_ready() const override { return whole_ || sent_ + given_ < inspector_->clear_up_to() || from_.is_ready(); }
  std::vector<Field> const& trailers() const override { return from_.trailers(); }

  /// Reads until something may be sent, or the body is whole, or refused: what is known before the first byte leaves. No wait is longer
  /// than `idle`.
  awaitable<Result<void>> prime(std::chrono::milliseconds idle);
  std::optional<Refusal> const& refusal() const { return inspector_->refusal(); }

 private:
  /// Bytes of held_ that may go on.
  std::size_t ready() const;
  awaitable<Result<void>> take_in();
  void replace(Replacement const& replacement);

  BodySource& from_;
  std::unique_ptr<BodyInspector> inspector_;
  std::string held_;
  std::uint64_t sent_ = 0;     // content in front of held_
  std::size_t given_ = 0;      // of held_: was the content of the last piece
  bool whole_ = false;
};

}  // namespace sallyport::proxy
