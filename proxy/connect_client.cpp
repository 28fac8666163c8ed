#include "proxy/connect_client.hpp"

#include "proxy/proxy_authorization.hpp"
#include "proxy/request_head.hpp"

#include <variant>

namespace sallyport::proxy {
awaitable<Result<void>> open_by_connect(Stream& stream, policies::UpstreamProxy const& proxy, std::string authority) {
  auto request = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n";
  auto const authorization = basic_authorization(proxy);
  if (!authorization.empty()) request += "Proxy-Authorization: " + authorization + "\r\n";
  request += "\r\n";
  auto written = co_await stream.write(request);
  if (!written) co_return written;
  for (;;) {
    auto step = parse_response_head(stream.buffered(), "CONNECT");
    if (auto const* error = std::get_if<Error>(&step))
      co_return Error{Code::invalid, 0, "it does not speak HTTP: " + error->what};
    if (auto const* parsed = std::get_if<Parsed<ResponseHead>>(&step)) {
      int const status = parsed->head.status;
      if (status >= 300) co_return Error{Code::denied, 0, proxy_refusal(status, parsed->head.reason_phrase)};
      stream.consume(parsed->head_bytes);
      if (status >= 200) co_return Result<void>();
      continue;
    }
    auto more = co_await stream.read_more();
    if (!more) co_return more;
  }
}

}  // namespace sallyport::proxy
