#include "proxy/content_scan.hpp"

#include "base/limits.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sallyport::proxy {
namespace {

/// Those that begin in the first `before` bytes and end behind them, as seen from there.
std::vector<dlp::Finding> crossing(std::vector<dlp::Finding> findings, std::size_t before) {
  std::erase_if(findings, [before](dlp::Finding const& each) { return each.offset >= before || each.offset + each.length <= before; });
  for (auto& finding : findings) {
    finding.length = finding.offset + finding.length - before;
    finding.offset = 0;
  }
  return findings;
}

void append(std::vector<dlp::Finding>& to, std::vector<dlp::Finding> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

ContentScan::ContentScan(dlp::Scanner::Setup const& setup, std::string_view before) : ContentScan(setup) {
  if (!before.empty()) seam_.emplace(Seam{setup, std::string(before), before.size()});
}

void ContentScan::feed(std::string_view content) {
  scanner_.feed(content);
  joined_.feed(content);
  if (!seam_) return;
  auto const whole_seam = seam_->before + limits::kSeamBytes;
  seam_->text.append(content.substr(0, whole_seam - seam_->text.size()));
  if (seam_->text.size() == whole_seam) judge_seam();
}

void ContentScan::finish() {
  scanner_.finish();
  joined_.finish();
  if (seam_) judge_seam();
}

void ContentScan::judge_seam() {
  auto const seam = std::exchange(seam_, std::nullopt);
  if (seam->text.size() == seam->before) return;
  auto findings = dlp::scan_message(seam->setup, seam->text);
  auto const in_one_piece = findings.size();
  dlp::scan_joined(seam->setup, seam->text, findings);
  std::vector<dlp::Finding> in_pieces(std::make_move_iterator(findings.begin() + static_cast<std::ptrdiff_t>(in_one_piece)),
                                      std::make_move_iterator(findings.end()));
  findings.resize(in_one_piece);
  over_seam_ = {crossing(std::move(findings), seam->before), crossing(std::move(in_pieces), seam->before)};
}

std::uint64_t ContentScan::clear_up_to() const {
  return seam_ ? 0 : std::min(scanner_.clear_up_to(), joined_.clear_up_to());
}

ContentScan::Findings ContentScan::take_findings() {
  auto found = std::exchange(over_seam_, {});
  append(found.whole, scanner_.take_findings());
  append(found.in_pieces, joined_.take_findings());
  return found;
}

}  // namespace sallyport::proxy
