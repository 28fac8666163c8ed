#include "proxy/grpc_framing.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace sallyport::proxy {

bool is_grpc_type(std::string_view content_type) {
  constexpr std::string_view kType = "application/grpc";
  auto const type = lower_case(content_type.substr(0, content_type.find_first_of("; \t")));
  return type == kType || (type.starts_with(kType) && type[kType.size()] == '+');
}

bool is_grpc(RequestHead const& head) { return is_grpc_type(head.field("content-type").value_or("")); }

GrpcFraming::Step GrpcFraming::next(std::string_view& bytes) {
  if (!inside_) return take_prefix(bytes);
  if (bytes.empty() && left_ > 0) return NeedMore{};
  auto const piece = bytes.substr(0, left_);
  bytes.remove_prefix(piece.size());
  left_ -= static_cast<std::uint32_t>(piece.size());
  inside_ = left_ > 0;
  return Payload{piece, !inside_};
}

GrpcFraming::Step GrpcFraming::take_prefix(std::string_view& bytes) {
  auto const taken = std::min(bytes.size(), kPrefixBytes - prefix_bytes_);
  std::copy_n(bytes.begin(), taken, prefix_.begin() + prefix_bytes_);
  bytes.remove_prefix(taken);
  prefix_bytes_ += taken;
  if (prefix_bytes_ > 0 && prefix_[0] > 1) return Error{Code::invalid, 0, "gRPC: a message with an unknown flag"};
  if (prefix_bytes_ < kPrefixBytes) return NeedMore{};
  prefix_bytes_ = 0;
  inside_ = true;
  left_ = std::uint32_t{prefix_[1]} << 24 | std::uint32_t{prefix_[2]} << 16 | std::uint32_t{prefix_[3]} << 8 | prefix_[4];
  return Begin{prefix_[0] == 1 ? GrpcPacking::compressed : GrpcPacking::plain, left_};
}

}  // namespace sallyport::proxy
