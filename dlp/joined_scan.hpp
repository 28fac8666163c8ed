#pragma once
// Looks for secrets that were cut over the values of a message: parameters, header fields, JSON fields, lines. The values of a stretch
// are read as one text, window by window, so that a message of any length takes constant memory. One thread at a time; no I/O.

#include "dlp/scanner.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::dlp {

class JoinedScan {
 public:
  explicit JoinedScan(Scanner::Setup setup) : setup_(std::move(setup)) {}

  void feed(std::string_view bytes);
  void finish();
  /// Bytes before this offset have been judged.
  std::uint64_t clear_up_to() const { return base_; }
  std::vector<Finding> take_findings();

 private:
  void judge(std::size_t keep);

  Scanner::Setup setup_;
  std::string window_;
  std::uint64_t base_ = 0;  // offset of the window
  std::vector<Finding> findings_;
};

/// What a text made of many values shows by chance is not believed: a checksum, or a vendor's shape.
bool is_believed_in_pieces(Finding const& finding);

/// Adds what another reading of a message shows, unless the same detector has shown the same value already.
void add_new(Finding finding, std::vector<Finding>& findings);

/// What the values of `message`, read as one text, show beyond `findings`, is added to them.
void scan_joined(Scanner::Setup const& setup, std::string_view message, std::vector<Finding>& findings);

}  // namespace sallyport::dlp
