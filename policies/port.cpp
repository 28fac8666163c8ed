#include "policies/port.hpp"

#include "policies/quote.hpp"

#include <charconv>
#include <string>

namespace sallyport::policies {

Result<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), port);
  bool const whole = failed == std::errc() && end == text.data() + text.size();
  if (!whole || port == 0 || text.front() == '0') {
    return Error{Code::invalid, 0, in_quotes(text) + " is not a port from 1 to 65535"};
  }
  return port;
}

}  // namespace sallyport::policies
