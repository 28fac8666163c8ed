// Text of a WebSocket is UTF-8 exactly when Beast says so, however its bytes are cut.

#include "base/check.hpp"
#include "proxy/utf8_check.hpp"

#include <boost/beast/websocket/detail/utf8_checker.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace sallyport;
  if (size < 1) return 0;
  std::string_view const text(reinterpret_cast<char const*>(data) + 1, size - 1);
  bool const expected = boost::beast::websocket::detail::check_utf8(text.data(), text.size());
  check(proxy::is_utf8(text) == expected, "the whole of it");
  proxy::Utf8Check pieces;
  bool good = true;
  for (auto rest = text; good && !rest.empty();) {
    auto const piece = rest.substr(0, 1 + data[0] % 7);
    good = pieces.feed(piece);
    rest.remove_prefix(piece.size());
  }
  check((good && pieces.is_complete()) == expected, "piece by piece");
  return 0;
}
