#include "proxy/inspected_requester.hpp"

#include "proxy/event_framing.hpp"
#include "proxy/grpc_framing.hpp"
#include "proxy/request_writer.hpp"

#include <utility>
#include <variant>

namespace sallyport::proxy {
namespace {

constexpr int kFirstFinalStatus = 200;

Error denied() { return Error{Code::denied, 0, "the response holds what must not go on"}; }

BodyForm form_of(ResponseHead const& head) {
  BodyForm form{head.field("content-encoding").value_or("")};
  auto const type = head.field("content-type").value_or("");
  if (is_grpc_type(type)) form.grpc_coding = head.field("grpc-encoding").value_or("");
  form.events = is_event_stream(type);
  return form;
}

}  // namespace

awaitable<Result<ResponseHead>> InspectedRequester::read_head() {
  auto head = co_await server_.read_head();
  if (!head) co_return head;
  auto const shown = inspection_.inspect_head(response_, write_response_head(*head, ClientConnection::keep_alive));
  if (!shown) {
    refusal_ = shown.error();
    co_return denied();
  }
  bool const has_body = head->status >= kFirstFinalStatus && !std::holds_alternative<NoBody>(head->body);
  if (!has_body) co_return head;
  auto looked = co_await look_at_body(*head);
  if (!looked) co_return looked.error();
  co_return head;
}

awaitable<Result<void>> InspectedRequester::look_at_body(ResponseHead const& head) {
  auto const form = form_of(head);
  auto inspector = inspection_.inspect_body(response_, form);
  if (!inspector) {
    refusal_ = inspector.error();
    co_return denied();
  }
  if (*inspector == nullptr) co_return Result<void>();
  inspected_.emplace(server_.response_body(), *std::move(inspector));
  bool const is_stream = form.events || form.grpc_coding.has_value();
  if (is_stream) co_return Result<void>();  // its receiver may wait for the head
  auto primed = co_await inspected_->prime(idle_);
  if (refusal()) co_return denied();
  co_return primed;
}

}  // namespace sallyport::proxy
