#include "tests/proxy/h2_pair.hpp"

namespace sallyport::tests {

using proxy::EndStream;
using namespace asio::experimental::awaitable_operators;

awaitable<Result<std::string>> read_all(proxy::H2Stream& stream) {
  std::string all;
  for (;;) {
    auto bytes = co_await stream.read_body();
    if (!bytes) co_return bytes.error();
    if (bytes->empty()) co_return all;
    all += *bytes;
  }
}

awaitable<void> echo_stream(proxy::H2ServerStream stream) {
  if (!stream.respond(200, {{"x-method", stream.request()->head.method}})) co_return;
  for (;;) {
    auto bytes = co_await stream.read_body();
    if (!bytes || bytes->empty()) break;
    auto written = co_await stream.write_body(*bytes);
    if (!written) co_return;
  }
  co_await stream.finish(stream.trailers());
}

namespace {

awaitable<void> send_message(proxy::H2ClientStream& stream, std::string_view body, std::vector<proxy::Field> trailers) {
  auto written = co_await stream.write_body(body);
  if (written) co_await stream.finish(std::move(trailers));
}

awaitable<void> read_message(proxy::H2ClientStream& stream, H2Answer& answer) {
  answer.head = co_await stream.read_response_head();
  if (!answer.head) co_return;
  answer.body = co_await read_all(stream);
  answer.trailers = stream.trailers();
}

}  // namespace

awaitable<H2Answer> post(proxy::H2ClientConnection& client, std::string_view body, std::vector<proxy::Field> trailers) {
  auto stream = open_stream(client, "POST", EndStream::no);
  H2Answer answer;
  co_await (send_message(stream, body, std::move(trailers)) && read_message(stream, answer));
  co_return answer;
}

std::string bulk(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint32_t state = 1;
  for (auto& byte : bytes) byte = static_cast<char>((state = state * 1664525U + 1013904223U) >> 24);
  return bytes;
}

}  // namespace sallyport::tests
