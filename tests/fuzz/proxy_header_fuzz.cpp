// A PROXY protocol header is found in no proper prefix of itself, and what follows it changes nothing.

#include "base/check.hpp"
#include "proxy/proxy_header.hpp"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace sallyport;
  using namespace sallyport::proxy;
  std::string_view const buffer(reinterpret_cast<char const*>(data), size);
  auto const step = parse_proxy_header(buffer);
  auto const* header = std::get_if<ProxyHeader>(&step);
  if (header == nullptr) return 0;
  check(header->bytes <= size, "a header reads nothing that is not there");
  check(std::holds_alternative<NeedMore>(parse_proxy_header(buffer.substr(0, header->bytes - 1))), "no prefix is a header");
  auto const again = parse_proxy_header(std::string(buffer.substr(0, header->bytes)) + "more");
  auto const* same = std::get_if<ProxyHeader>(&again);
  check(same != nullptr && same->bytes == header->bytes && same->client.has_value() == header->client.has_value(),
        "what follows changes nothing");
  return 0;
}
