// What is sent upstream for a request parses to the meaning that was decided on, and is its own canonical form.

#include "base/check.hpp"
#include "proxy/request_writer.hpp"

#include <algorithm>
#include <cstdint>

namespace {

using namespace sallyport;
using namespace sallyport::proxy;

void check_round_trip(RequestHead const& head, HttpTarget const& target) {
  auto const written = write_request_head(head, target, UpstreamConnection::keep_alive);
  auto const step = parse_request_head(written);
  auto const* parsed = std::get_if<Parsed<RequestHead>>(&step);
  check(parsed != nullptr && parsed->head_bytes == written.size(), "a written head is one head");
  auto const& again = parsed->head;
  check(again.method == head.method && again.body == head.body, "method and framing stay");
  check(again.minor_version == head.minor_version && again.expect_continue == head.expect_continue,
        "version and Expect stay");
  auto const target_again = parse_origin_target(again, target.port);
  check(target_again && target_again->host == target.host && target_again->path == target.path, "the target stays");
  check(write_request_head(again, *target_again, UpstreamConnection::keep_alive) == written, "the wire form is stable");
}

void check_prefix(std::string_view wire) {
  auto const step = parse_request_head(wire.substr(0, wire.size() - 1));
  check(std::holds_alternative<NeedMore>(step), "one byte less waits for more");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const buffer(reinterpret_cast<char const*>(data), size);
  auto const step = parse_request_head(buffer);
  auto const* parsed = std::get_if<Parsed<RequestHead>>(&step);
  if (parsed == nullptr) return 0;
  check(parsed->head_bytes <= size, "reads nothing that is not there");
  check_prefix(buffer.substr(0, parsed->head_bytes));
  auto const target =
      parsed->head.target.starts_with('/') ? parse_origin_target(parsed->head, 80) : parse_absolute_target(parsed->head);
  if (target) check_round_trip(parsed->head, *target);
  return 0;
}
