#include "proxy/metrics_server.hpp"

#include "proxy/adopt_socket.hpp"
#include "tests/proxy/stream_pair.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace sallyport::proxy {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// What the listener answers to one request.
std::string answer_to(std::string const& request, Readiness readiness = Readiness::ready) {
  asio::io_context io;
  Metrics const metrics;
  ClientGate const gate({});
  TaskSet connections(io.get_executor(), [](std::exception_ptr) { ADD_FAILURE() << "an exception"; });
  MetricsServer server(metrics, gate, connections);
  server.set_readiness(readiness);
  auto listener = tests::bound_socket(tests::SocketKind::stream);
  auto const port = tests::port_of(listener);
  TaskSet services(io.get_executor(), [](std::exception_ptr) { ADD_FAILURE() << "an exception"; });
  services.start(server.run(adopt_acceptor(io, std::move(listener)).value()));
  std::string answer;
  std::thread client([&] {
    auto const socket = tests::connect_to(port);
    tests::send_all(socket.get(), request);
    answer = tests::receive_to_end(socket.get());
    io.stop();
  });
  io.run();
  client.join();
  connections.cancel_all();
  services.cancel_all();
  io.restart();
  io.poll();
  return answer;
}

std::string get(std::string const& path, Readiness readiness = Readiness::ready) {
  return answer_to("GET " + path + " HTTP/1.1\r\nHost: m\r\n\r\n", readiness);
}

TEST(MetricsServer, AnswersItsThreePathsAndNoOther) {
  EXPECT_THAT(get("/metrics"), HasSubstr("sallyport_connections 0\n"));
  EXPECT_THAT(get("/metrics"), HasSubstr("Content-Type: text/plain; version=0.0.4"));
  EXPECT_THAT(get("/healthz"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(get("/readyz"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(get("/readyz", Readiness::draining), StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(get("/"), StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(answer_to("POST /metrics HTTP/1.1\r\nHost: m\r\nContent-Length: 0\r\n\r\n"), StartsWith("HTTP/1.1 405 "));
  EXPECT_THAT(answer_to("nonsense\r\n\r\n"), StartsWith("HTTP/1.1 400 "));
}

}  // namespace
}  // namespace sallyport::proxy
