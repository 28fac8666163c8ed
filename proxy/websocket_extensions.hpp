#pragma once
// Sec-WebSocket-Extensions, of which only permessage-deflate is let through: what else would change frames in ways nobody
// here understands. Pure; any thread. Hardened against hostile bytes. Sources: RFC 6455 section 9.1, RFC 7692 sections 5
// and 7.1.

#include "base/result.hpp"
#include "proxy/request_head.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sallyport::proxy {

/// The parameters of one permessage-deflate, offered or accepted.
struct DeflateParameters {
  bool server_no_context_takeover = false;
  bool client_no_context_takeover = false;
  std::optional<int> server_max_window_bits = std::nullopt;  // 8 to 15
  bool may_limit_client_window = false;                      // client_max_window_bits is there
  std::optional<int> client_max_window_bits = std::nullopt;  // its value
  bool operator==(DeflateParameters const&) const = default;
};
std::string to_text(DeflateParameters const& parameters);

/// What a client offers, in its order. Other extensions, and offers that RFC 7692 section 7.1 declines, are left out.
std::vector<DeflateParameters> offered_deflate(std::vector<Field> const& fields);

/// What the server accepts; nothing if it accepts no extension. An error when that is not one of `offers`, in the terms of
/// section 7.1.
Result<std::optional<DeflateParameters>> accepted_deflate(std::vector<Field> const& fields,
                                                          std::vector<DeflateParameters> const& offers);

}  // namespace sallyport::proxy
