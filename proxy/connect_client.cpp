#include "proxy/connect_client.hpp"

#include "policies/quote.hpp"
#include "proxy/request_head.hpp"

#include <openssl/evp.h>

#include <utility>
#include <variant>
#include <vector>

namespace sallyport::proxy {
namespace {

constexpr int kAuthenticationRequired = 407;

std::string base64(std::string const& bytes) {
  std::vector<unsigned char> out(4 * ((bytes.size() + 2) / 3) + 1);
  int const size = EVP_EncodeBlock(out.data(), reinterpret_cast<unsigned char const*>(bytes.data()), static_cast<int>(bytes.size()));
  return std::string(out.begin(), out.begin() + size);
}

Error no_tunnel(ResponseHead const& head) {
  auto what = "it answered " + std::to_string(head.status) + ' ' + policies::in_quotes(head.reason_phrase);
  if (head.status == kAuthenticationRequired) what += ": it wants a user and password that it knows, in the URL of --upstream-proxy";
  return Error{Code::denied, 0, std::move(what)};
}

}  // namespace

std::string basic_authorization(policies::UpstreamProxy const& proxy) {
  return proxy.user.empty() ? std::string() : "Basic " + base64(proxy.user + ':' + proxy.password);
}

awaitable<Result<void>> open_by_connect(Stream& stream, policies::UpstreamProxy const& proxy, std::string authority) {
  auto request = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n";
  auto const authorization = basic_authorization(proxy);
  if (!authorization.empty()) request += "Proxy-Authorization: " + authorization + "\r\n";
  request += "\r\n";
  auto written = co_await stream.write(request);
  if (!written) co_return written;
  for (;;) {
    auto step = parse_response_head(stream.buffered(), "CONNECT");
    if (auto const* error = std::get_if<Error>(&step)) co_return Error{Code::invalid, 0, "it does not speak HTTP: " + error->what};
    if (auto const* parsed = std::get_if<Parsed<ResponseHead>>(&step)) {
      int const status = parsed->head.status;
      if (status >= 300) co_return no_tunnel(parsed->head);
      stream.consume(parsed->head_bytes);
      if (status >= 200) co_return Result<void>();
      continue;
    }
    auto more = co_await stream.read_more();
    if (!more) co_return more;
  }
}

}  // namespace sallyport::proxy
