#include "proxy/grpc_inspector.hpp"

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

/// Where the message of a scan stands.
struct Place {
  std::uint64_t start = 0;  // of its payload in the body
  std::optional<dlp::Coding> coding;
  std::uint64_t packed_bytes = 0;
};

/// From the scan to the body.
void place_in_body(std::vector<dlp::Finding>& findings, Place const& place) {
  for (auto& finding : findings) {
    finding.offset += place.start;
    if (!place.coding) continue;
    finding.codings.insert(finding.codings.begin(), *place.coding);
    finding.offset = place.start;
    finding.length = place.packed_bytes;
  }
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
  if (refusal()) return;
  if (!framing_.between_messages()) return refuse("the body ends inside a message");
  clear_ = seen_;
}

void GrpcInspector::begin(GrpcFraming::Begin const& message) {
  start_ = seen_;
  unpacked_.reset();
  bool const compressed = message.packing == GrpcPacking::compressed;
  if (compressed && !coding_) return refuse("a message is compressed, and its grpc-encoding cannot be undone");
  if (compressed) unpacked_.emplace(*coding_);
  scan_.emplace(setup_, tail_.text());
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
  tail_.append(plain);
}

void GrpcInspector::unpack(GrpcFraming::Payload const& payload) {
  auto const result = unpacked_->feed(payload.bytes, [this](std::string_view plain) { scan(plain); });
  if (result == UnpackedMessage::Unpacked::too_large) return refuse("a message unpacks to more than is looked at");
  bool const broken = result == UnpackedMessage::Unpacked::broken || unpacked_->ended() != payload.last;
  if (broken) refuse("a message is not what its grpc-encoding says");
}

void GrpcInspector::judge() {
  auto found = scan_->take_findings();
  Place place{start_, std::nullopt, 0};
  if (unpacked_) place = {start_, coding_, unpacked_->packed_bytes()};
  place_in_body(found.whole, place);
  place_in_body(found.in_pieces, place);
  auto const clear = std::max(clear_, start_);
  judge_.take(std::move(found.whole), {"body", {dlp::Place::body, Spread::whole}, clear});
  judge_.take(std::move(found.in_pieces), {"body", {dlp::Place::body, Spread::in_pieces}, clear});
  if (judge_.refusal()) return;
  auto const plain = scan_->clear_up_to();
  auto const judged = unpacked_ ? unpacked_->packed_up_to(plain) : plain;
  if (judged > 0) clear_ = std::max(clear_, start_ + judged);
}

void GrpcInspector::end() {
  scan_->finish();
  judge();
  scan_.reset();
  if (!judge_.refusal()) clear_ = seen_;
}

void GrpcInspector::refuse(std::string_view what) {
  auto verdict = allowed_;
  verdict.action = policies::Action::deny;
  verdict.reason = reason::kUnreadable;
  verdict.hint = "The body is declared as gRPC, and cannot be read as such: " + std::string(what) +
                 ". Send plain messages, or compress them with gzip or deflate.";
  refusal_ = refused_by(std::move(verdict));
}

}  // namespace sallyport::proxy
