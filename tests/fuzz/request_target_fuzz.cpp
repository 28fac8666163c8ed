// The canonical form of an authority or URL parses to itself.

#include "base/check.hpp"
#include "proxy/request_target.hpp"

#include <cstdint>

namespace {

using namespace sallyport;
using namespace sallyport::proxy;

void check_authority(std::string_view text) {
  auto const authority = parse_connect_authority(text);
  if (!authority) return;
  auto const canonical = authority->host.authority() + ':' + std::to_string(authority->port);
  auto const again = parse_connect_authority(canonical);
  check(again && again->host == authority->host && again->port == authority->port, "an authority parses to itself");
  auto const as_host_field = parse_host_field(canonical, 1);
  check(as_host_field && as_host_field->port == authority->port, "and is a Host field");
}

void check_url(std::string_view text) {
  RequestHead head;
  head.target = text;
  auto const target = parse_absolute_target(head);
  if (!target) return;
  auto const authority = target->host.authority() + ':' + std::to_string(target->port);
  head.target = "http://" + authority + target->path.str();
  head.fields = {{"Host", authority}};
  auto const again = parse_absolute_target(head);
  check(again && again->host == target->host && again->port == target->port && again->path == target->path,
        "a URL parses to itself");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const text(reinterpret_cast<char const*>(data), size);
  check_authority(text);
  check_url(text);
  return 0;
}
