// A SOCKS5 request is found in no proper prefix, and its canonical form asks for the same.

#include "base/check.hpp"
#include "proxy/socks5.hpp"

#include <cstdint>

namespace {

using namespace sallyport;
using namespace sallyport::proxy;

void check_round_trip(socks5::ConnectRequest const& request) {
  auto const& name = request.host.str();
  std::string wire("\x05\x01\x00\x03", 4);
  wire += static_cast<char>(name.size());
  wire += name;
  wire += static_cast<char>(request.port >> 8);
  wire += static_cast<char>(request.port & 0xff);
  auto const step = socks5::parse_request(wire);
  auto const* again = std::get_if<socks5::ConnectRequest>(&step);
  check(again != nullptr && again->host == request.host && again->port == request.port,
        "the canonical form asks for the same");
}

void check_greeting(std::string_view buffer) {
  auto const step = socks5::parse_greeting(buffer);
  auto const* greeting = std::get_if<socks5::Greeting>(&step);
  check(greeting == nullptr || greeting->bytes <= buffer.size(), "a greeting reads nothing that is not there");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const buffer(reinterpret_cast<char const*>(data), size);
  check_greeting(buffer);
  auto const step = socks5::parse_request(buffer);
  auto const* request = std::get_if<socks5::ConnectRequest>(&step);
  if (request == nullptr) return 0;
  check(request->bytes <= size && request->port != 0, "a request reads nothing that is not there");
  auto const before = socks5::parse_request(buffer.substr(0, request->bytes - 1));
  check(std::holds_alternative<NeedMore>(before), "one byte less waits for more");
  check_round_trip(*request);
  return 0;
}
