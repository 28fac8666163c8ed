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

  std::string_view piece(std::size_t index) const;
  /// The stretch of the message that holds text[begin, end). REQUIRES begin < end <= text.size().
  Span source_of(std::size_t begin, std::size_t end) const;
};

/// Takes values without blanks: `a=V&`, `"V"`, `: V` at the end of a line, `>V<`, lines of their own.
JoinedValues join_values(std::string_view message);

/// Those of the values that are base 64 or hexadecimal of text, decoded one by one: a secret that was cut first and coded then.
JoinedValues decoded_values(JoinedValues const& joined);

/// The parts of the path of a URL, or of a request's target.
JoinedValues path_parts(std::string_view message);

/// The same with a line end before each value that begins like a token: what stands before it is another value, and no part
/// of it.
JoinedValues with_edges(RuleSet const& rules, JoinedValues const& joined);

}  // namespace sallyport::dlp
