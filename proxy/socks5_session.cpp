#include "proxy/socks5_session.hpp"

#include "base/limits.hpp"
#include "proxy/egress_record.hpp"
#include "proxy/socks5.hpp"
#include "proxy/tunnel.hpp"

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;

awaitable<Result<void>> greet(Stream& stream) {
  for (;;) {
    auto step = socks5::parse_greeting(stream.buffered());
    if (auto* error = std::get_if<Error>(&step)) co_return std::move(*error);
    if (auto const* greeting = std::get_if<socks5::Greeting>(&step)) {
      stream.consume(greeting->bytes);
      auto const reply = socks5::method_reply(*greeting);
      auto written = co_await stream.write(reply);
      if (written && !greeting->no_authentication) co_return Error{Code::invalid, 0, "the client insists on a login"};
      co_return written;
    }
    auto more = co_await stream.read_more();
    if (!more) co_return more;
  }
}

awaitable<Result<socks5::RequestStep>> read_request(Stream& stream) {
  auto greeted = co_await greet(stream);
  if (!greeted) co_return greeted.error();
  for (;;) {
    auto step = socks5::parse_request(stream.buffered());
    if (!std::holds_alternative<NeedMore>(step)) co_return step;
    auto more = co_await stream.read_more();
    if (!more) co_return more.error();
  }
}

awaitable<void> refuse(Client& client, Error error, socks5::Reply code, SessionDeps const& deps) {
  auto const refused = refusal(400, error.code == Code::limit ? reason::kTimeout : reason::kBadRequest, error.what);
  auto written = co_await deps.audit.record(denied(new_record(client, audit::Leg::socks5, deps.audit), refused));
  if (!written) co_return client.stream.reset();
  auto const reply = socks5::reply(code);
  co_await client.stream.write(reply);
  co_await linger_close(client.stream);
}

}  // namespace

awaitable<void> serve_socks5(Client& client, SessionDeps const& deps) {
  auto step = co_await with_deadline(deps.timeouts.head, "SOCKS5 request", read_request(client.stream));
  if (!step) co_return co_await refuse(client, step.error(), socks5::Reply::general_failure, deps);
  if (auto const* refused = std::get_if<socks5::Refusal>(&*step)) {
    co_return co_await refuse(client, refused->error, refused->reply, deps);
  }
  auto const& asked = std::get<socks5::ConnectRequest>(*step);
  client.stream.consume(asked.bytes);
  TunnelRequest request{audit::Leg::socks5, {asked.host, asked.port}, {}};
  co_await serve_tunnel(client, std::move(request), deps);
}

}  // namespace sallyport::proxy
