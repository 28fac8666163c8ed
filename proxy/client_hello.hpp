#pragma once
// SNI and ALPN from a TLS ClientHello. No I/O; any thread. Hardened against hostile bytes.
// Sources: RFC 8446 sections 4.1.2, 5.1; RFC 6066 section 3; RFC 7301; RFC 8701 (GREASE); RFC 9849 (ECH: the outer SNI counts).

#include "base/result.hpp"
#include "policies/canonical_host.hpp"
#include "proxy/request_head.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sallyport::proxy {

struct ClientHello {
  std::optional<policies::CanonicalHost> sni;  // nothing if there is no server_name extension
  std::vector<std::string> alpn;
  bool encrypted_client_hello = false;         // an encrypted_client_hello extension is there
  std::size_t wire_bytes = 0;                  // of the records that hold the message
};
using ClientHelloStep = std::variant<NeedMore, ClientHello, Error>;

/// `buffer` is everything received so far, cut into records and segments in any way. Errors: not a handshake record, not a
/// ClientHello, lengths that do not add up, two server_name extensions or two names in one, a name that is not canonical
/// (address, root dot, NUL, outside ASCII; upper case becomes lower case), SSLv2, more than limits::kMaxClientHelloBytes or
/// kMaxClientHelloRecords, empty records, other record types in between, bytes behind the message in its last record.
ClientHelloStep parse_client_hello(std::string_view buffer);

/// Whether `first` (at least one byte) can begin a TLS connection.
bool looks_like_tls(std::string_view first);

}  // namespace sallyport::proxy
