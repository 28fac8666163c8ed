#include "tests/proxy/http2_peers.hpp"

#include "proxy/adopt_socket.hpp"
#include "tests/proxy/gateway_clients.hpp"
#include "tests/proxy/h2_pair.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>

#include <stdexcept>
#include <string_view>

namespace sallyport::tests {
namespace {

constexpr std::string_view kHttp2Only("\x02h2", 3);

unsigned char const* bytes_of(std::string_view text) { return reinterpret_cast<unsigned char const*>(text.data()); }

int select_http2(SSL*, unsigned char const** chosen, unsigned char* size, unsigned char const* offered, unsigned offered_size, void*) {
  unsigned char* match = nullptr;
  int const found = SSL_select_next_proto(&match, size, bytes_of(kHttp2Only), kHttp2Only.size(), offered, offered_size);
  if (found != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_ALERT_FATAL;
  *chosen = match;
  return SSL_TLSEXT_ERR_OK;
}

awaitable<Result<proxy::ResponseHead>> read_final_head(proxy::H2ClientStream& stream) {
  for (;;) {
    auto head = co_await stream.read_response_head();
    if (!head || head->status >= 200) co_return head;
  }
}

}  // namespace

Http2Origin::Http2Origin(TestAuthority const& authority, std::vector<std::string> const& names, Handler handler, proxy::H2Limits bounds)
    : acceptor_(proxy::adopt_acceptor(io_, UniqueFd::adopt(::dup(listener_.get()), "dup").value()).value()),
      context_(authority.server({.names = names})),
      handler_(std::move(handler)),
      bounds_(bounds),
      tasks_(io_.get_executor(), H2Server::rethrow) {
  SSL_CTX_set_alpn_select_cb(context_.get(), select_http2, nullptr);
  tasks_.start(accept_all());
  thread_ = std::thread([this] { io_.run(); });
}

Http2Origin::~Http2Origin() {
  asio::post(io_, [this] {
    acceptor_.close();
    tasks_.cancel_all();
  });
  thread_.join();
}

awaitable<void> Http2Origin::accept_all() {
  for (;;) {
    auto [ec, socket] = co_await acceptor_.async_accept();
    if (ec) co_return;
    ++connections_;
    tasks_.start(serve(Socket(std::move(socket))));
  }
}

awaitable<void> Http2Origin::serve(Socket socket) {
  proxy::Stream stream(std::move(socket));
  proxy::SslPtr ssl(SSL_new(context_.get()));
  SSL_set_accept_state(ssl.get());
  stream.start_tls(std::move(ssl));
  auto shaken = co_await stream.handshake();
  if (!shaken) co_return;
  proxy::H2ServerConnection connection(stream, bounds_, tasks_);
  auto const place = live_.insert(live_.end(), &connection);
  auto const count = [this](proxy::H2ServerStream request) {
    ++requests_;
    return handler_(std::move(request));
  };
  co_await connection.run(count);
  live_.erase(place);
  stream.close();
}

void Http2Origin::in_thread(std::function<void()> work) { asio::post(io_, asio::use_future(std::move(work))).get(); }

void Http2Origin::shut_down() {
  in_thread([this] {
    for (auto* connection : live_) connection->shut_down();
  });
}

Http2Client::Http2Client(GatewayHarness const& gateway, std::string const& host, proxy::H2Limits bounds)
    : host_(host), context_(SSL_CTX_new(TLS_client_method())), tasks_(io_.get_executor(), H2Server::rethrow) {
  auto tunnel = opened_tunnel(gateway, host + ":443");
  Socket socket(io_);
  socket.assign(asio::ip::tcp::v4(), std::move(tunnel).release());
  stream_.emplace(std::move(socket));
  proxy::SslPtr ssl(SSL_new(context_.get()));
  SSL_set_tlsext_host_name(ssl.get(), host.c_str());
  SSL_set_alpn_protos(ssl.get(), bytes_of(kHttp2Only), kHttp2Only.size());
  SSL_set_connect_state(ssl.get());
  stream_->start_tls(std::move(ssl));
  if (!tests::run(io_, stream_->handshake())) throw std::runtime_error("no TLS with the gateway");
  connection_.emplace(*stream_, bounds);
  tasks_.start(keep_result(ended_, connection_->run()));
}

Http2Client::~Http2Client() {
  stream_->close();
  io_.restart();
  io_.run();
}

proxy::H2ClientStream Http2Client::open(std::string method, std::string const& path, proxy::BodyKind body, std::vector<proxy::Field> fields) {
  auto head = h2_head(std::move(method));
  head.fields = std::move(fields);
  head.body = body;
  auto const end = std::holds_alternative<proxy::NoBody>(body) ? proxy::EndStream::yes : proxy::EndStream::no;
  proxy::HttpTarget const target{policies::CanonicalHost::from(host_).value(), 443, policies::CanonicalPath::from(path).value(),
                                 proxy::UrlScheme::https};
  return connection_->open(head, target, {end, {}}).value();
}

Http2Client::Answer Http2Client::finish(proxy::H2ClientStream& stream) {
  Answer answer;
  auto const head = run(read_final_head(stream));
  if (!head) {
    answer.body = head.error();
    return answer;
  }
  answer.status = head->status;
  answer.reason = head->field("sallyport-reason").value_or("");
  answer.body = run(read_all(stream));
  answer.trailers = stream.trailers();
  return answer;
}

Http2Client::Answer Http2Client::get(std::string const& path) {
  auto stream = open("GET", path);
  return finish(stream);
}

}  // namespace sallyport::tests
