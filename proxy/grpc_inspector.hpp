#pragma once
// Judges the messages of a gRPC request, each as soon as it is whole, so that a stream that stays open is not held back. What came in
// front of a message is looked at with it, so a secret does not pass by being cut over several. Hardened against hostile bytes.
// One thread at a time; no I/O. Source: "gRPC over HTTP2", section Requests.

#include "proxy/content_scan.hpp"
#include "proxy/dlp_judge.hpp"
#include "proxy/grpc_framing.hpp"
#include "proxy/stream_tail.hpp"
#include "proxy/unpacked_message.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace sallyport::proxy {

class GrpcInspector final : public BodyInspector {
 public:
  /// `coding` is what grpc-encoding says, empty if it says nothing. Compressed messages in another one than gzip and deflate are refused.
  GrpcInspector(dlp::Scanner::Setup setup, std::string_view coding, DlpJudge judge, policies::Verdict allowed);

  void feed(std::string_view content) override;
  void finish(std::vector<Field> const& trailers) override;
  std::uint64_t clear_up_to() const override { return clear_; }
  std::optional<Refusal> const& refusal() const override { return refusal_ ? refusal_ : judge_.refusal(); }
  std::vector<Replacement> take_replacements() override { return judge_.take_replacements(); }

 private:
  void begin(GrpcFraming::Begin const& message);
  void take(GrpcFraming::Payload const& payload);
  void scan(std::string_view plain);
  void unpack(GrpcFraming::Payload const& payload);
  void judge();
  void end();
  void refuse(std::string_view what);

  dlp::Scanner::Setup setup_;
  std::optional<dlp::Coding> coding_;
  DlpJudge judge_;
  policies::Verdict allowed_;
  std::optional<Refusal> refusal_;
  GrpcFraming framing_;
  std::optional<ContentScan> scan_;          // of the message that is coming
  std::optional<UnpackedMessage> unpacked_;  // set: it is compressed
  StreamTail tail_;                          // of what came, plain
  std::uint64_t seen_ = 0;                   // bytes of the body
  std::uint64_t start_ = 0;                  // of the message's payload in the body
  std::uint64_t clear_ = 0;
};

}  // namespace sallyport::proxy
