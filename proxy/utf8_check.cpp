#include "proxy/utf8_check.hpp"

#include "dlp/utf8.hpp"

#include <algorithm>

namespace sallyport::proxy {
namespace {

constexpr std::size_t kLongest = 4;

/// The bytes that a code point has which begins with `first`; 0 if none does.
std::size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  if (first >= 0xf0 && first <= 0xf4) return 4;
  return 0;
}

/// Whether bytes behind `start`, fewer than it lacks, can make it a code point: the least and the greatest of them do, or neither.
bool can_become_one(std::string_view start) {
  auto const length = length_of(static_cast<unsigned char>(start.front()));
  if (length <= start.size()) return false;
  std::string least(start), greatest(start);
  least.resize(length, '\x80');
  greatest.resize(length, '\xbf');
  return dlp::first_code_point(least).length == length || dlp::first_code_point(greatest).length == length;
}

/// How many bytes at the start of `text` are whole code points.
std::size_t whole_part(std::string_view text) {
  std::size_t done = 0;
  while (done < text.size()) {
    if (static_cast<unsigned char>(text[done]) < 0x80) {
      ++done;
      continue;
    }
    auto const length = dlp::first_code_point(text.substr(done)).length;
    if (length == 0) break;
    done += length;
  }
  return done;
}

}  // namespace

bool Utf8Check::feed(std::string_view piece) {
  while (!rest_.empty() && !piece.empty()) {
    rest_.push_back(piece.front());
    piece.remove_prefix(1);
    if (dlp::first_code_point(rest_).length == rest_.size()) {
      rest_.clear();
    } else if (!can_become_one(rest_)) {
      return false;
    }
  }
  piece.remove_prefix(whole_part(piece));
  if (piece.empty()) return true;
  if (piece.size() >= kLongest || !can_become_one(piece)) return false;
  rest_ = piece;
  return true;
}

bool is_utf8(std::string_view text) { return whole_part(text) == text.size(); }

}  // namespace sallyport::proxy
