#include "proxy/grpc_inspector.hpp"

#include "base/limits.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;

std::optional<dlp::Coding> grpc_coding_of(std::string_view token) {
  if (token == "gzip") return dlp::Coding::gzip;
  if (token == "deflate") return dlp::Coding::zlib;
  return std::nullopt;
}

}  // namespace

GrpcInspector::GrpcInspector(dlp::Scanner::Setup setup, std::string_view coding, DlpJudge judge, policies::Verdict allowed)
    : setup_(std::move(setup)), coding_(grpc_coding_of(coding)), judge_(std::move(judge)), allowed_(std::move(allowed)) {}

void GrpcInspector::feed(std::string_view content) {
  auto const end = seen_ + content.size();
  while (!refusal()) {
    auto const step = framing_.next(content);
    seen_ = end - content.size();
    if (std::holds_alternative<GrpcFraming::NeedMore>(step)) return;
    if (auto const* error = std::get_if<Error>(&step)) return refuse(error->what);
    if (auto const* message = std::get_if<GrpcFraming::Begin>(&step)) begin(*message);
    if (auto const* payload = std::get_if<GrpcFraming::Payload>(&step)) take(*payload);
  }
}

void GrpcInspector::finish(std::vector<Field> const& trailers) {
  judge_.take_trailers(setup_, trailers);
  if (!framing_.between_messages()) return refuse("the body ends inside a message");
  clear_ = seen_;
}

void GrpcInspector::begin(GrpcFraming::Begin const& message) {
  start_ = seen_;
  unpacked_.reset();
  bool const compressed = message.packing == GrpcPacking::compressed;
  if (compressed && !coding_) return refuse("a message is compressed, and its grpc-encoding cannot be undone");
  if (compressed) unpacked_.emplace(*coding_);
  lead_ = recent_;
  scan_.emplace(setup_);
  scan_->feed(lead_);
}

void GrpcInspector::take(GrpcFraming::Payload const& payload) {
  if (unpacked_) {
    unpack(payload);
  } else {
    scan(payload.bytes);
  }
  if (refusal()) return;
  if (payload.last) return end();
  judge();
}

void GrpcInspector::scan(std::string_view plain) {
  scan_->feed(plain);
  recent_.append(plain.substr(plain.size() - std::min(plain.size(), limits::kGrpcOverlapBytes)));
  if (recent_.size() > limits::kGrpcOverlapBytes) recent_.erase(0, recent_.size() - limits::kGrpcOverlapBytes);
}

void GrpcInspector::unpack(GrpcFraming::Payload const& payload) {
  auto const result = unpacked_->feed(payload.bytes, [this](std::string_view plain) { scan(plain); });
  if (result == UnpackedMessage::Unpacked::too_large) return refuse("a message unpacks to more than is looked at");
  bool const broken = result == UnpackedMessage::Unpacked::broken || unpacked_->ended() != payload.last;
  if (broken) refuse("a message is not what its grpc-encoding says");
}

/// In the scan, the message stands behind the lead.
void GrpcInspector::judge() {
  auto found = scan_->take_findings();
  for (auto* findings : {&found.whole, &found.in_pieces}) {
    for (auto& finding : *findings) {
      finding.offset = start_ + finding.offset - std::min<std::uint64_t>(lead_.size(), start_ + finding.offset);
      if (!unpacked_) continue;
      finding.codings.insert(finding.codings.begin(), *coding_);
      finding.offset = start_;
      finding.length = unpacked_->packed_bytes();
    }
  }
  auto const clear = std::max(clear_, start_);
  judge_.take(std::move(found.whole), {"body", {dlp::Place::body, Spread::whole}, clear});
  judge_.take(std::move(found.in_pieces), {"body", {dlp::Place::body, Spread::in_pieces}, clear});
  auto const plain = scan_->clear_up_to() - std::min<std::uint64_t>(lead_.size(), scan_->clear_up_to());
  auto const judged = unpacked_ ? unpacked_->packed_up_to(plain) : plain;
  if (judged > 0) clear_ = std::max(clear_, start_ + judged);
}

void GrpcInspector::end() {
  scan_->finish();
  judge();
  scan_.reset();
  clear_ = seen_;
}

void GrpcInspector::refuse(std::string_view what) {
  auto verdict = allowed_;
  verdict.action = policies::Action::deny;
  verdict.reason = reason::kUnreadable;
  verdict.hint = "The request is declared as gRPC, and cannot be read as such: " + std::string(what) +
                 ". Send plain messages, or compress them with gzip or deflate.";
  refusal_ = refused_by(std::move(verdict));
}

}  // namespace sallyport::proxy
