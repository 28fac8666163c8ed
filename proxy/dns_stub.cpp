#include "proxy/dns_stub.hpp"

#include "base/limits.hpp"

#include <utility>

namespace sallyport::proxy {
namespace {

constexpr std::size_t kLengthBytes = 2;
constexpr std::chrono::milliseconds kPause{50};  // after a socket error that passes by itself
constexpr std::chrono::seconds kLimitHitInterval{1};

template <class Endpoint>
Peer peer_of(Endpoint const& endpoint) {
  return Peer{from_asio(endpoint.address()), endpoint.port()};
}

std::size_t message_length(std::string_view buffered) {
  return std::size_t{static_cast<unsigned char>(buffered[0])} << 8 | static_cast<unsigned char>(buffered[1]);
}

/// Waits until one whole message is buffered, and returns it without consuming it.
awaitable<Result<std::string>> read_message(Stream& stream) {
  for (;;) {
    auto const buffered = stream.buffered();
    if (buffered.size() >= kLengthBytes) {
      auto const length = message_length(buffered);
      if (length > limits::kMaxDnsMessageBytes) co_return Error{Code::limit, 0, "DNS message: too long"};
      if (buffered.size() >= kLengthBytes + length) co_return std::string(buffered.substr(kLengthBytes, length));
    }
    auto more = co_await stream.read_more();
    if (!more) co_return more.error();
  }
}

std::string framed(std::string const& message) {
  std::string bytes{static_cast<char>(message.size() >> 8), static_cast<char>(message.size() & 0xff)};
  return bytes + message;
}

}  // namespace

awaitable<void> DnsStub::serve_udp(UdpSocket socket) {
  boost::system::error_code error;
  auto const here = peer_of(socket.local_endpoint(error));
  std::string buffer;
  for (;;) {
    asio::ip::udp::endpoint sender;
    buffer.resize(limits::kMaxDnsMessageBytes);
    auto [receive_error, bytes] = co_await socket.async_receive_from(asio::buffer(buffer), sender);
    if (receive_error == asio::error::operation_aborted) co_return;
    if (receive_error) {
      co_await sleep_for(kPause);
      continue;
    }
    buffer.resize(bytes);
    auto const reply = co_await answer(buffer, flow_of("udp", peer_of(sender), here));
    if (!reply.empty()) co_await socket.async_send_to(asio::buffer(reply), sender);  // a lost answer is asked for again
  }
}

awaitable<void> DnsStub::accept_tcp(Acceptor acceptor) {
  for (;;) {
    auto [ec, socket] = co_await acceptor.async_accept();
    if (ec == asio::error::operation_aborted) co_return;
    if (ec) {
      co_await sleep_for(kPause);
      continue;
    }
    boost::system::error_code gone;
    auto const sender = socket.remote_endpoint(gone);
    if (gone || deps_.connections.size() >= limits::kMaxDnsConnections) continue;  // closes it
    auto flow = flow_of("tcp", peer_of(sender), peer_of(socket.local_endpoint(gone)));
    deps_.connections.start(serve_connection(Stream(std::move(socket)), std::move(flow)));
  }
}

awaitable<void> DnsStub::serve_connection(Stream stream, audit::Flow flow) {
  for (;;) {
    auto message = co_await with_deadline(limits::kFirstByteTimeout, "DNS question", read_message(stream));
    if (!message) co_return;
    stream.consume(kLengthBytes + message->size());
    auto const reply = co_await answer(std::move(*message), flow);
    if (reply.empty()) co_return;
    auto const bytes = framed(reply);
    auto written = co_await stream.write(bytes);
    if (!written) co_return;
  }
}

awaitable<std::string> DnsStub::answer(std::string message, audit::Flow flow) {
  co_await deps_.audit.wait_for_room();
  auto reply = deps_.responder.reply(message);
  if (reply.exhausted) note_exhaustion();
  if (reply.record) {
    reply.record->flow = std::move(flow);
    auto const written = co_await deps_.audit.record(std::move(*reply.record));
    if (!written) co_return std::string();
  }
  co_return std::move(reply.bytes);
}

void DnsStub::note_exhaustion() {
  auto const now = std::chrono::steady_clock::now();
  if (now - last_limit_hit_ < kLimitHitInterval) return;
  last_limit_hit_ = now;
  deps_.audit.post(audit::LimitHit{"synthetic_names", "no synthetic address is left in this session"});
}

}  // namespace sallyport::proxy
