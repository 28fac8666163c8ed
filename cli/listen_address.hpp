#pragma once
// Where a listener of `proxy` waits: --listen, --listen-tls, --metrics. Parsing is pure; open_listener() makes sockets and,
// for a Unix listener, a file. Sources: ip(7), unix(7).

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "policies/address_class.hpp"

#include <cstdint>
#include <string>
#include <variant>

namespace sallyport::cli {

struct TcpPlace {
  policies::IpAddress address;
  std::uint16_t port = 0;
};
struct UnixPlace {
  std::string path;
};
using ListenPlace = std::variant<TcpPlace, UnixPlace>;

/// ADDRESS:PORT, with IPv6 in brackets and 0 for a port that the kernel chooses, or unix:PATH. `option` is named in the error.
Result<ListenPlace> parse_listen_place(char const* option, std::string const& text);

/// Whether another machine or container could connect.
bool is_exposed(ListenPlace const& place);

/// A listening socket. A Unix socket's file has the mode the umask leaves; one that is there already is an error.
Result<UniqueFd> open_listener(ListenPlace const& place);

/// Where a listening socket waits, as --listen takes it: with the port that the kernel chose for port 0.
std::string place_of(UniqueFd const& listener);

}  // namespace sallyport::cli
