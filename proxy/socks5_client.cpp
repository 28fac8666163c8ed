#include "proxy/socks5_client.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace sallyport::proxy {
namespace {

using policies::CanonicalHost;
using policies::UpstreamProxy;

constexpr char kVersion = 5;
constexpr char kPasswordVersion = 1;  // RFC 1929 section 2
constexpr char kNoAuthentication = 0;
constexpr char kPassword = 2;
constexpr char kConnect = 1;
constexpr char kIpv4 = 1;  // types of addresses
constexpr char kName = 3;
constexpr char kIpv6 = 4;
// RFC 1928 section 6
constexpr std::array<std::string_view, 9> kReplies = {
    "succeeded",          "general failure", "not allowed by its rules", "network unreachable",       "host unreachable",
    "connection refused", "TTL expired",     "command not supported",    "address type not supported"};

Error not_socks5(std::string_view what) {
  return Error{Code::invalid, 0, "it does not speak SOCKS5: " + std::string(what)};
}

std::string sized(std::string const& text) { return static_cast<char>(text.size()) + text; }

std::string greeting(UpstreamProxy const& proxy) {
  if (proxy.user.empty()) return {kVersion, 1, kNoAuthentication};
  return {kVersion, 2, kNoAuthentication, kPassword};
}

std::string connect_request(CanonicalHost const& host, std::uint16_t port) {
  std::string request = {kVersion, kConnect, 0};
  auto const& address = host.address();
  if (!address) {
    request += kName + sized(host.str());
  } else if (address->is_v4()) {
    request += kIpv4;
    for (auto const byte : address->v4_bytes()) request += static_cast<char>(byte);
  } else {
    request += kIpv6;
    for (auto const byte : address->bytes()) request += static_cast<char>(byte);
  }
  return request + static_cast<char>(port >> 8) + static_cast<char>(port & 0xff);
}

/// The next `count` bytes, taken off the stream.
awaitable<Result<std::string>> take(Stream& stream, std::size_t count) {
  while (stream.buffered().size() < count) {
    auto more = co_await stream.read_more();
    if (!more) co_return more.error();
  }
  std::string bytes(stream.buffered().substr(0, count));
  stream.consume(count);
  co_return bytes;
}

awaitable<Result<void>> send_password(Stream& stream, UpstreamProxy const& proxy) {
  auto const message = kPasswordVersion + sized(proxy.user) + sized(proxy.password);
  auto written = co_await stream.write(message);
  if (!written) co_return written;
  auto const answer = co_await take(stream, 2);
  if (!answer) co_return answer.error();
  if ((*answer)[1] == 0) co_return Result<void>();
  co_return Error{Code::denied, 0, "it does not accept the user and password in the URL of --upstream-proxy"};
}

awaitable<Result<void>> agree_on_method(Stream& stream, UpstreamProxy const& proxy) {
  auto const message = greeting(proxy);
  auto written = co_await stream.write(message);
  if (!written) co_return written;
  auto const answer = co_await take(stream, 2);
  if (!answer) co_return answer.error();
  if ((*answer)[0] != kVersion) co_return not_socks5("its answer to the greeting has another version");
  if ((*answer)[1] == kNoAuthentication) co_return Result<void>();
  if ((*answer)[1] == kPassword && !proxy.user.empty()) co_return co_await send_password(stream, proxy);
  co_return Error{Code::denied, 0, "it wants a user and password, in the URL of --upstream-proxy"};
}

/// The address it is bound to, which nobody needs.
awaitable<Result<void>> skip_address(Stream& stream, char type) {
  std::size_t bytes = 0;
  if (type == kIpv4) {
    bytes = 4;
  } else if (type == kIpv6) {
    bytes = 16;
  } else if (type == kName) {
    auto const length = co_await take(stream, 1);
    if (!length) co_return length.error();
    bytes = static_cast<unsigned char>((*length)[0]);
  } else {
    co_return not_socks5("its answer has an unknown type of address");
  }
  auto const skipped = co_await take(stream, bytes + 2);
  if (!skipped) co_return skipped.error();
  co_return Result<void>();
}

std::string meaning_of(char code) {
  auto const index = static_cast<unsigned char>(code);
  return index < kReplies.size() ? std::string(kReplies[index]) : "code " + std::to_string(index);
}

}  // namespace

awaitable<Result<void>> open_by_socks5(Stream& stream, UpstreamProxy const& proxy, CanonicalHost host, std::uint16_t port) {
  auto agreed = co_await agree_on_method(stream, proxy);
  if (!agreed) co_return agreed;
  auto const request = connect_request(host, port);
  auto written = co_await stream.write(request);
  if (!written) co_return written;
  auto const answer = co_await take(stream, 4);
  if (!answer) co_return answer.error();
  if ((*answer)[0] != kVersion) co_return not_socks5("its answer has another version");
  if ((*answer)[1] != 0) co_return Error{Code::denied, 0, "it answered: " + meaning_of((*answer)[1])};
  co_return co_await skip_address(stream, (*answer)[3]);
}

}  // namespace sallyport::proxy
