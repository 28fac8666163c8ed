#include "proxy/websocket_upgrade.hpp"

#include "proxy/http1_body.hpp"
#include "proxy/request_writer.hpp"

#include <utility>

namespace sallyport::proxy {

WebSocketUpgrade::WebSocketUpgrade(WebSocketOffer offer, WebSocketGuard guard, BodySource& client)
    : offer_(std::move(offer)), guard_(std::move(guard)), client_(client), key_(new_websocket_key()) {}

std::string WebSocketUpgrade::request_head(RequestHead head, HttpTarget const& target) const {
  head.fields.push_back({"Sec-WebSocket-Key", key_});
  return write_request_head(head, target, UpstreamConnection::websocket);
}

awaitable<Result<void>> WebSocketUpgrade::run(ResponseHead answer, Responder& client, Stream& upstream, Activity& activity) {
  auto const terms = read_websocket_answer(answer, offer_, key_);
  if (!terms) co_return terms.error();
  auto head = websocket_response(std::move(answer), offer_, *terms);
  head.body = UntilClose{};
  auto written = co_await client.respond(head, Next::close);
  if (!written) {
    end_.error = "response head: " + written.error().what;
    co_return Result<void>();
  }
  Http1BodySource from_server(upstream, UntilClose{});
  Http1BodySink to_server(upstream, UntilClose{});
  WebSocketEnds const ends{client_, client.body(), from_server, to_server};
  co_await relay_websocket(ends, guard_, terms->deflate, activity, end_);
  co_return Result<void>();
}

}  // namespace sallyport::proxy
