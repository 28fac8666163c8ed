#pragma once
// What one destination was told in earlier messages, so that a secret cut over several of them is seen when its last part is to leave: the
// values of one place (a parameter, a header field, a part of the path, the n-th value of a body) are read as one text, message after message.
// A few KiB for each destination, and never more than some 40. One thread at a time; no I/O. Does not follow a secret whose parts change places, come out of order or
// have other values of that place between them.

#include "dlp/scanner.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::dlp {

class Trail {
 public:
  static constexpr std::size_t kMaxPlaces = 64;      // the one that has not changed for longest is forgotten
  static constexpr std::size_t kMaxPlaceBytes = 160;  // of what went before; longer than nearly all tokens

  struct Value {
    std::string place;
    std::string text;
  };

  /// What the values show together with those before them, and neither shows alone. Offsets are those in the joined text, and mean nothing
  /// to anybody else.
  std::vector<Finding> look(Scanner::Setup const& setup, std::vector<Value> const& values) const;
  /// They leave. A value that is the same as the last in its place is no news.
  void add(std::vector<Value> const& values);

 private:
  struct Past {
    std::string place;
    std::string text;  // its end
    std::string last;  // empty: it was too long to be compared
  };
  Past const* find(std::string_view place) const;

  std::vector<Past> past_;  // the one that changed last at the end
};

/// Of a request head: the parts of its path, its parameters and its fields. The number in a name says nothing of the place: part1, part2.
std::vector<Trail::Value> head_values(std::string_view head);

/// Of a body. Long ones have none: they are searched by themselves, and what follows another message of the size is no part of it.
inline constexpr std::size_t kMaxFollowedBody = 1024;
std::vector<Trail::Value> body_values(std::string_view body);

}  // namespace sallyport::dlp
