#include "proxy/metrics_server.hpp"

#include "base/limits.hpp"
#include "proxy/metrics_text.hpp"
#include "proxy/opening.hpp"

namespace sallyport::proxy {
namespace {

constexpr std::chrono::milliseconds kAcceptPause{50};  // after accept() failed for want of descriptors or memory

std::string response(std::string_view status, std::string_view type, std::string const& body) {
  return "HTTP/1.1 " + std::string(status) + "\r\nContent-Type: " + std::string(type) +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + body;
}

std::string plain(std::string_view status, std::string const& body) {
  return response(status, "text/plain; charset=utf-8", body + "\n");
}

}  // namespace

std::string MetricsServer::answer_to(std::string_view method, std::string_view path) const {
  if (method != "GET") return plain("405 Method Not Allowed", "GET only");
  if (path == "/metrics")
    return response("200 OK", "text/plain; version=0.0.4; charset=utf-8", metrics_text(metrics_.numbers(), gate_.counts()));
  if (path == "/healthz") return plain("200 OK", "ok");
  if (path != "/readyz") return plain("404 Not Found", "/metrics, /healthz or /readyz");
  return readiness_ == Readiness::ready ? plain("200 OK", "ready") : plain("503 Service Unavailable", "draining");
}

awaitable<void> MetricsServer::serve(Stream client) {
  auto first = co_await wait_first_byte(client, limits::kFirstByteTimeout);
  if (!first) co_return client.close();
  auto head = co_await read_request_head(client, limits::kHeadTimeout);
  auto const answer = head ? answer_to(head->method, head->target) : plain("400 Bad Request", head.error().verdict.hint);
  auto written = co_await with_deadline(limits::kHeadTimeout, "metrics", client.write(answer));
  if (!written) co_return client.reset();
  co_await linger_close(client);
}

awaitable<void> MetricsServer::run(Acceptor acceptor) {
  for (;;) {
    auto [ec, socket] = co_await acceptor.async_accept();
    if (ec == asio::error::operation_aborted) co_return;
    if (ec) {
      co_await sleep_for(kAcceptPause);
    } else if (connections_.size() < limits::kMaxMetricsConnections) {
      connections_.start(serve(Stream(std::move(socket))));
    }
  }
}

}  // namespace sallyport::proxy
