#pragma once
// Looks for secrets in one text as it comes: those that stand in one piece, and those cut over its values. Hardened against hostile bytes.
// One thread at a time; no I/O. Does not decide what a finding means: see dlp_judge.hpp.

#include "dlp/joined_scan.hpp"
#include "dlp/scanner.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

class ContentScan {
 public:
  explicit ContentScan(dlp::Scanner::Setup const& setup, std::optional<dlp::Coding> content_coding = std::nullopt)
      : scanner_(setup, content_coding), joined_(setup) {}

  void feed(std::string_view content);
  /// The text is whole. Nothing may be fed afterwards.
  void finish();
  /// Content before this offset has been judged.
  std::uint64_t clear_up_to() const;

  struct Findings {
    std::vector<dlp::Finding> whole;
    std::vector<dlp::Finding> in_pieces;
  };
  /// Since the last call.
  Findings take_findings() { return {scanner_.take_findings(), joined_.take_findings()}; }

 private:
  dlp::Scanner scanner_;
  dlp::JoinedScan joined_;
};

}  // namespace sallyport::proxy
