#pragma once
// socket(2) arguments in words, for audit records. Pure.

#include <string>

namespace sallyport::jail {

struct SocketCall {
  int family = 0;
  int type = 0;
  int protocol = 0;
};

/// "socket(AF_PACKET, SOCK_RAW, 768)": numbers where there is no name.
std::string describe(SocketCall const& call);
/// For Flow::protocol: "icmp", "raw", "packet", "vsock", …
std::string protocol_word(SocketCall const& call);

}  // namespace sallyport::jail
