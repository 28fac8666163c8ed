#pragma once
// A server whose answers are looked at before they go on: heads whole, bodies as a stream. Thread: its worker's. Of a response that is
// no stream of messages, nothing is given out until something of its body may go: so it can still be refused whole.
// Does not look at what a WebSocket carries: see websocket_relay.hpp.

#include "proxy/inspected_body.hpp"
#include "proxy/inspection.hpp"
#include "proxy/requester.hpp"

#include <chrono>
#include <optional>
#include <utility>

namespace sallyport::proxy {

class InspectedRequester final : public Requester {
 public:
  /// No wait for content is longer than `idle`. Lifetime: both, and what `response` refers to, outlive it. REQUIRES: `response` says that it is one.
  InspectedRequester(Requester& server, Inspection& inspection, InspectedMessage response, std::chrono::milliseconds idle)
      : server_(server), inspection_(inspection), response_(std::move(response)), idle_(idle) {}

  awaitable<Result<void>> request(RequestHead const& head, HttpTarget const& target) override { return server_.request(head, target); }
  BodySink& body() override { return server_.body(); }
  /// Code::denied when refusal() is set.
  awaitable<Result<ResponseHead>> read_head() override;
  BodySource& response_body() override { return inspected_ ? *inspected_ : server_.response_body(); }
  After after() override { return server_.after(); }
  bool untouched() const override { return !refusal() && server_.untouched(); }
  std::optional<std::uint32_t> reset_code() const override { return server_.reset_code(); }

  /// Why the response must not go on, perhaps when some of it had gone.
  std::optional<Refusal> const& refusal() const { return inspected_ && inspected_->refusal() ? inspected_->refusal() : refusal_; }

 private:
  awaitable<Result<void>> look_at_body(ResponseHead const& head);

  Requester& server_;
  Inspection& inspection_;
  InspectedMessage response_;
  std::chrono::milliseconds idle_;
  std::optional<InspectedBody> inspected_;
  std::optional<Refusal> refusal_;  // of its head, or because the body cannot be read
};

}  // namespace sallyport::proxy
