#pragma once
// Values of a message that stand in different fields, as one text: a secret that was cut over parameters, headers, JSON
// fields, lines or parts is whole there, also when it was coded first. Pure; any thread. Does not know which values belong
// together: all are joined in their order.

#include "dlp/rule_set.hpp"
#include "dlp/span.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::dlp {

struct JoinedValues {
  std::string text;
  struct Piece {
    std::size_t joined = 0;  // where it begins in `text`
    Span source;             // in the message
  };
  std::vector<Piece> pieces;

  /// The stretch of the message that holds text[begin, end). REQUIRES begin < end <= text.size().
  Span source_of(std::size_t begin, std::size_t end) const;
};

/// Takes values without blanks: `a=V&`, `"V"`, `: V` at the end of a line, `>V<`, lines of their own.
JoinedValues join_values(std::string_view message);

/// The same with a line end before each value that begins like a token: what stands before it is another value, and no part
/// of it.
JoinedValues join_values(RuleSet const& rules, std::string_view message);

}  // namespace sallyport::dlp
