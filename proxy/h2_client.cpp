#include "proxy/h2_client.hpp"

#include "base/defer.hpp"

#include <utility>

namespace sallyport::proxy {

awaitable<Result<ResponseHead>> H2ClientStream::read_response_head() {
  auto& in = state().in;
  while (in.responses.empty() && !state().cut) co_await state().readable.wait();
  if (in.responses.empty()) co_return *state().cut;
  auto head = std::move(in.responses.front());
  in.responses.pop_front();
  co_return head;
}

H2ClientConnection::H2ClientConnection(Stream& stream, H2Limits const& bounds)
    : stream_(stream), session_(std::make_shared<H2Session>(H2Side::client, bounds, stream.socket().get_executor())) {}

awaitable<Result<void>> H2ClientConnection::run() {
  auto const session = session_;  // this object may go before a cancelled run() has ended
  Defer const cut([&session] { session->end(H2Session::closed()); });  // also when this is cancelled
  H2Pump pump(stream_, *session, [] {});
  auto ended = co_await pump.run();
  if (!ended) session->end(ended.error());
  co_return ended;
}

awaitable<void> H2ClientConnection::wait_for_settings() {
  auto& inbox = session_->inbox();
  while (!inbox.has_settings() && !inbox.draining()) co_await inbox.settings_came().wait();
}

Result<H2ClientStream> H2ClientConnection::open(RequestHead const& head, HttpTarget const& target, H2Open how) {
  auto const stream = session_->open(h2_request_fields(head, target, how.protocol), how.end);
  if (!stream) return stream.error();
  (*stream)->in.request_method = how.protocol.empty() ? head.method : "CONNECT";
  return H2ClientStream(session_, *stream);
}

}  // namespace sallyport::proxy
