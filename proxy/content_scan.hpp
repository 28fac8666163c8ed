#pragma once
// Looks for secrets in one text as it comes: those that stand in one piece, those cut over its values, and those that begin at the end
// of the text before. Hardened against hostile bytes. One thread at a time; no I/O. Does not decide what a finding means: see dlp_judge.hpp.

#include "dlp/joined_scan.hpp"
#include "dlp/scanner.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

class ContentScan {
 public:
  explicit ContentScan(dlp::Scanner::Setup const& setup, std::optional<dlp::Coding> content_coding = std::nullopt)
      : scanner_(setup, content_coding), joined_(setup) {}
  /// `before`: the end of what came in front of this text in its stream. It is no part of the text: what stands in it alone is no finding.
  ContentScan(dlp::Scanner::Setup const& setup, std::string_view before);

  void feed(std::string_view content);
  /// The text is whole. Nothing may be fed afterwards.
  void finish();
  /// Content before this offset has been judged.
  std::uint64_t clear_up_to() const;

  struct Findings {
    std::vector<dlp::Finding> whole;
    std::vector<dlp::Finding> in_pieces;
  };
  /// Since the last call. Offsets are those of the text; what begins before it begins at 0.
  Findings take_findings();

 private:
  /// The end of one text and the start of the next.
  struct Seam {
    dlp::Scanner::Setup setup;
    std::string text;
    std::size_t before = 0;  // bytes of the text before
  };
  void judge_seam();

  dlp::Scanner scanner_;
  dlp::JoinedScan joined_;
  std::optional<Seam> seam_;  // until it is judged
  Findings over_seam_;
};

}  // namespace sallyport::proxy
