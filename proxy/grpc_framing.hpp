#pragma once
// The messages inside a gRPC body, as they come in pieces. No I/O; any thread. Hardened against hostile bytes.
// Source: "gRPC over HTTP2", section Requests: Length-Prefixed-Message.
//   message = flag length *OCTET
//   flag    = %x00 / %x01          1: compressed as the grpc-encoding field says
//   length  = 4OCTET               of what follows, the most significant first

#include "proxy/request_head.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

namespace sallyport::proxy {

/// Whether a message of this type carries gRPC: application/grpc, or that and "+" and a format.
bool is_grpc_type(std::string_view content_type);
bool is_grpc(RequestHead const& head);

enum class GrpcPacking { plain, compressed };

class GrpcFraming {
 public:
  struct NeedMore {};
  struct Begin {
    GrpcPacking packing = GrpcPacking::plain;
    std::uint32_t length = 0;
  };
  /// Behind its Begin; a message without bytes has one empty piece.
  struct Payload {
    std::string_view bytes;  // of what was fed
    bool last = false;
  };
  using Step = std::variant<NeedMore, Begin, Payload, Error>;  // Error: a flag that is neither 0 nor 1; for good

  /// Takes the next step's bytes off the front of `bytes`; NeedMore when they are used up.
  Step next(std::string_view& bytes);
  /// Whether a body may end here.
  bool between_messages() const { return prefix_bytes_ == 0 && !inside_; }

 private:
  static constexpr std::size_t kPrefixBytes = 5;
  Step take_prefix(std::string_view& bytes);

  std::array<unsigned char, kPrefixBytes> prefix_{};
  std::size_t prefix_bytes_ = 0;
  bool inside_ = false;
  std::uint32_t left_ = 0;  // of the message that is coming
};

}  // namespace sallyport::proxy
