#include "proxy/websocket_upgrade.hpp"

#include <utility>

namespace sallyport::proxy {

WebSocketUpgrade::WebSocketUpgrade(WebSocketOffer offer, WebSocketGuard guard, BodySource& client)
    : offer_(std::move(offer)), guard_(std::move(guard)), client_(client), key_(new_websocket_key()) {}

RequestHead WebSocketUpgrade::request_head(RequestHead head) const {
  head.fields.push_back({"Sec-WebSocket-Key", key_});
  return head;
}

Result<ResponseHead> WebSocketUpgrade::accept(ResponseHead answer) {
  auto terms = read_websocket_answer(answer, offer_, key_);
  if (!terms) return terms.error();
  terms_ = std::move(*terms);
  return websocket_response(std::move(answer), offer_, terms_);
}

awaitable<void> WebSocketUpgrade::relay(BodySink& client, Requester& server, Activity& activity) {
  WebSocketEnds const ends{client_, client, server.response_body(), server.body()};
  farewell_.emplace(co_await asio::this_coro::executor);
  co_await relay_websocket(ends, guard_, terms_.deflate, activity, *farewell_, end_);
}

bool WebSocketUpgrade::end(std::string why) {
  if (!farewell_) return false;
  end_.error = std::move(why);
  farewell_->say();
  return true;
}

}  // namespace sallyport::proxy
