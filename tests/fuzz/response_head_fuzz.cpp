// What a client gets for a response parses to the same status and framing, and is its own canonical form.

#include "base/check.hpp"
#include "base/limits.hpp"
#include "proxy/request_writer.hpp"

#include <cstdint>

namespace {

using namespace sallyport;
using namespace sallyport::proxy;

void check_round_trip(ResponseHead const& head, std::string_view method) {
  if (head.fields.size() == limits::kMaxHeaderFields) return;  // Connection, which is added, would be one more than is read
  auto const written = write_response_head(head, ClientConnection::keep_alive);
  auto const step = parse_response_head(written, method);
  auto const* parsed = std::get_if<Parsed<ResponseHead>>(&step);
  check(parsed != nullptr && parsed->head_bytes == written.size(), "a written head is one head");
  auto const& again = parsed->head;
  check(again.status == head.status && again.reason_phrase == head.reason_phrase && again.body == head.body,
        "meaning stays");
  check(!again.field("sallyport-reason"), "a reason from upstream does not pass");
  check(write_response_head(again, ClientConnection::keep_alive) == written, "the wire form is stable");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const buffer(reinterpret_cast<char const*>(data), size);
  for (std::string_view const method : {"GET", "HEAD"}) {
    auto const step = parse_response_head(buffer, method);
    if (auto const* parsed = std::get_if<Parsed<ResponseHead>>(&step)) {
      check(parsed->head_bytes <= size, "reads nothing that is not there");
      check_round_trip(parsed->head, method);
    }
  }
  return 0;
}
