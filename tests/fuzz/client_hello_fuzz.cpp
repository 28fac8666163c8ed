// A ClientHello keeps its meaning when its message is cut into other records, and is found in no proper prefix.

#include "base/check.hpp"
#include "proxy/client_hello.hpp"

#include <cstdint>
#include <string>

namespace {

using namespace sallyport;
using namespace sallyport::proxy;

constexpr std::size_t kRecordHeaderBytes = 5;

std::string record_of(std::string_view fragment) {
  std::string record = "\x16\x03\x03";
  record += static_cast<char>(fragment.size() >> 8);
  record += static_cast<char>(fragment.size() & 0xff);
  return record.append(fragment);
}

std::string message_of(std::string_view wire) {
  std::string message;
  while (!wire.empty()) {
    auto const length =
        static_cast<std::size_t>(static_cast<std::uint8_t>(wire[3]) << 8 | static_cast<std::uint8_t>(wire[4]));
    message += wire.substr(kRecordHeaderBytes, length);
    wire.remove_prefix(kRecordHeaderBytes + length);
  }
  return message;
}

void check_same(ClientHello const& hello, std::string_view wire) {
  auto const step = parse_client_hello(wire);
  auto const* again = std::get_if<ClientHello>(&step);
  check(again != nullptr, "the same message parses again");
  check(again->sni == hello.sni && again->alpn == hello.alpn, "and says the same");
  check(again->encrypted_client_hello == hello.encrypted_client_hello, "and says the same of ECH");
  check(again->wire_bytes == wire.size(), "and is the whole wire");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const buffer(reinterpret_cast<char const*>(data), size);
  auto const step = parse_client_hello(buffer);
  auto const* hello = std::get_if<ClientHello>(&step);
  if (hello == nullptr) return 0;
  check(hello->wire_bytes <= size, "reads nothing that is not there");
  check(!hello->sni || !hello->sni->is_address(), "a server name is no address");
  auto const wire = buffer.substr(0, hello->wire_bytes);
  check_same(*hello, wire);
  auto const before = parse_client_hello(wire.substr(0, wire.size() - 1));
  check(std::holds_alternative<NeedMore>(before), "one byte less waits for more");
  auto const message = message_of(wire);
  auto const cut = 1 + data[size / 2] % (message.size() - 1);
  check_same(*hello, record_of(message.substr(0, cut)) + record_of(message.substr(cut)));
  return 0;
}
