// A peer that sends anything, to either end of an HTTP/2 connection, in pieces of any size: what waits is bounded, and every
// stream is given back.

#include "base/check.hpp"
#include "proxy/h2_session.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

using namespace sallyport;
using namespace sallyport::proxy;

constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

void check_bounds(H2Session& session) {
  auto& inbox = session.inbox();
  check(inbox.buffered_bytes() <= inbox.bounds().connection_window, "no more waits than the window of the connection");
  check(inbox.live() <= inbox.bounds().max_streams, "no more streams than the limit");
}

void take_output(H2Session& session) {
  for (;;) {
    auto const bytes = session.output();
    if (!bytes || bytes->empty()) return;
  }
}

/// Answers every second request, and takes the body of every third.
void serve(H2Session& session) {
  while (auto const stream = session.inbox().take_request()) {
    auto const turn = stream->id / 2;
    if (*stream->in.request) check(!stream->in.request->value().head.fields.empty(), "a request has a Host field");
    if (turn % 2 == 0) session.submit_response(*stream, {{":status", "200"}}, EndStream::yes).has_value();
    if (turn % 3 == 0) session.consume(*stream, std::exchange(stream->in.body, {}).size());
    session.release(*stream);
  }
}

std::vector<H2Inbox::StreamPtr> ask(H2Session& session) {
  std::vector<H2Inbox::StreamPtr> streams;
  std::vector<Field> const block{{":method", "GET"}, {":scheme", "https"}, {":authority", "a.example"}, {":path", "/"}};
  for (int i = 0; i < 3; ++i) streams.push_back(session.open(block, EndStream::yes).value());
  return streams;
}

void feed_in_pieces(H2Session& session, std::string_view bytes, std::size_t piece) {
  while (!bytes.empty()) {
    auto const fed = session.feed(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    check_bounds(session);
    serve(session);
    take_output(session);
    if (!fed || session.over()) return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  if (size < 2) return 0;
  static boost::asio::io_context io;  // nothing runs on it; making one for each input would be most of the time
  auto const side = data[0] % 2 == 0 ? H2Side::server : H2Side::client;
  H2Session session(side, H2Limits{}, io.get_executor());
  auto const streams = side == H2Side::client ? ask(session) : std::vector<H2Inbox::StreamPtr>{};
  take_output(session);
  if (side == H2Side::server) check(session.feed(kPreface).has_value(), "a preface is no error");
  feed_in_pieces(session, {static_cast<char const*>(static_cast<void const*>(data + 2)), size - 2}, std::size_t{data[1]} + 1);
  for (auto const& stream : streams) session.release(*stream);
  session.end(H2Session::closed());
  check(session.inbox().live() == 0, "every stream was given back");
  return 0;
}
